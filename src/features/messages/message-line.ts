// A message in one line of text.
import type { MessageView } from '#contract/messages/messages.ts'
import { messagesText as words } from './text.ts'

/** A message in one line: its text, or the number of its files; undefined for an unsent one. */
export function lineOf({ body }: MessageView): string | undefined {
  if (body.is === 'unsent') return undefined
  return body.content === '' ? words.files(body.media.length + body.hidden_media) : body.content
}

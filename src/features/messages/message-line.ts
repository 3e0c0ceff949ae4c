// A message in one line of text.
import type { MessageView } from '#contract/messages/messages.ts'
import { messagePostText, messagesText as words } from './text.ts'

/** A message in one line: its text, or what it has instead; undefined for an unsent one. */
export function lineOf({ body }: MessageView): string | undefined {
  if (body.is === 'unsent') return undefined
  if (body.content !== '') return body.content
  return lineOfParts(body.media.length + body.hidden_media, body.post !== null)
}

/** A message without a text: the number of its files, or that it carries a post. */
export const lineOfParts = (files: number, hasPost: boolean): string =>
  hasPost && files === 0 ? messagePostText.line : words.files(files)

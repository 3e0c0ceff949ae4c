// Sends one file as a message, for /dev/media, as the composer does.
import { type Between, isReadyToSend, readMessageDraft, removeMessageFile } from '#device/jobs/message.ts'
import { convertPicked } from '#src/domain/media/prepare/convert.ts'
import { addFile } from '#src/features/messages/files/intake.ts'
import { messageFilesText } from '#src/features/messages/files/text.ts'
import { submitMessage } from '#src/sw-bridge.ts'

/**
 * Queues a message with a file and a text.
 * @returns why the composer refuses the file, in its own words; undefined for one that it sends
 * @throws when the conversation has picked files already, or the message is not queued
 */
export async function sendFile(between: Between, file: File, content: string): Promise<string | undefined> {
  if (await readMessageDraft(between)) throw new Error('this conversation has picked files')
  const why = await addFile(between, file)
  if (why) return messageFilesText.problems[why]
  await convertPicked(between.ownerId)
  const media = (await readMessageDraft(between))?.media ?? []
  const isReady = media.length > 0 && media.every(isReadyToSend)
  const end = isReady && (await submitMessage(between, { content, replyTo: null, about: '' }, media))
  if (end && end.is === 'submitted') return undefined
  for (const { id, draftId } of media) await removeMessageFile(draftId, id)
  throw new Error(`${file.name} was not sent`)
}

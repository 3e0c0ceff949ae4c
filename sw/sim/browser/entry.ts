// The functions of the product that simulated pages and workers call.
export { dropMutation, listMutations, queueMutation } from '#device/mutations/mutations.ts'
export { setProbe, readProbe } from '#device/files/byte-form.ts'
export { isForQueue, onChange } from '#device/database/changes.ts'
export { copyFile } from '#device/files/import-file.ts'
export { editDraft } from '#device/drafts/draft-edits.ts'
export { changeDraft, discardDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
export { beginPreupload } from '#device/jobs/preupload.ts'
export {
  addMessageFile,
  openMessageDraft,
  readMessageDraft,
  removeMessageFile,
  submitMessageDraft,
} from '#device/jobs/message.ts'
export { chooseDocument, storePart, storePrompts, submitIdentityDraft } from '#device/jobs/identity.ts'
export { changeJob, dropJob, listJobs, submitDraft, unshownReceipts } from '#device/jobs/jobs.ts'
export { addMedia, removeMedia } from '#device/files/media.ts'
export { holdAgain } from '#device/files/page-held.ts'
export { purgePerson } from '#device/session/purge.ts'
export { clearSession, readSession, saveSession } from '#device/session/session.ts'
export { combineRunners } from '#sw/queue/combine-runners.ts'
export { createRunner } from '#sw/queue/runner.ts'
export { createLifetime } from '#sw/queue/lifetime.ts'
export { applyPersonEvent } from '#sw/queue/machines/machines.ts'
export { deviceQueues } from '#sw/queue/runtime-ports.ts'

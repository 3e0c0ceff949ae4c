// Realtime double that records published messages, for tests.
export { recordingRealtime } from '#server/adapters/realtime/realtime.ts'

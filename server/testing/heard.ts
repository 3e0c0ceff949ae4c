// A live connection that keeps what was said, for tests of whoever says it.
export { heardRealtime } from '#server/adapters/realtime/realtime.ts'

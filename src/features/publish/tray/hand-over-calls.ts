// What hands an upload to the browser, in a chunk of its own.
export { deviceStore } from '#sw/queue/device-store.ts'
export { handOver } from '#sw/queue/requests/hand-over.ts'
export { runtimeCaller } from '#sw/queue/runtime-ports.ts'

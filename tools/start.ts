// `npm start`: builds the app if needed, then serves it until a signal.
import { spawn } from 'node:child_process'
import { buildIfStale } from './build.ts'
import { beginRun } from './runs/begin.ts'
import { stopTogether } from './signals.ts'

await beginRun({ answeredBy: 'server' })
const built = await buildIfStale(true)
if (built.code !== 0) process.exit(built.code)

const server = spawn(process.execPath, ['server/main.ts'], { stdio: 'inherit' })
stopTogether([server])
server.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal ? 1 : 0)
})

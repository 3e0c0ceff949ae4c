// `npm start`: builds the app when that is needed, then serves it until told to stop.
import { spawn } from 'node:child_process'
import { buildIfStale } from './build.ts'

const built = await buildIfStale(true)
if (built.code !== 0) process.exit(built.code)

const server = spawn(process.execPath, ['server/main.ts'], { stdio: 'inherit' })
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => server.kill(signal))
// A terminal sends Ctrl-C to the whole group, so the server has it already.
process.on('SIGINT', () => {
  if (!process.stdin.isTTY) server.kill('SIGINT')
})
server.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal ? 1 : 0)
})

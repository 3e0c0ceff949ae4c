// `npm run dev`: the server, restarted on changes, and the app with hot reload.
import { type ChildProcess, spawn } from 'node:child_process'
import { beginRun } from './runs/begin.ts'
import { stopTogether } from './signals.ts'

const start = (args: string[]): ChildProcess => spawn(process.execPath, args, { stdio: 'inherit' })

await beginRun({ answeredBy: 'server' })
const both = [start(['--watch', 'server/main.ts']), start(['node_modules/vite/bin/vite.js'])]
stopTogether(both)
for (const it of both)
  it.on('exit', (code) => {
    process.exitCode ||= code ?? 0
    for (const other of both) other.kill('SIGTERM')
  })

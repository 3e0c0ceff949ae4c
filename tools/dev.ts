// `npm run dev`: the API, restarted at every change, and the app with hot reload in front of it.
import { type ChildProcess, spawn } from 'node:child_process'

const start = (args: string[]): ChildProcess => spawn(process.execPath, args, { stdio: 'inherit' })

const both = [start(['--watch', 'server/main.ts']), start(['node_modules/vite/bin/vite.js'])]

function stop(signal: NodeJS.Signals): void {
  for (const it of both) if (it.exitCode === null && it.signalCode === null) it.kill(signal)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
for (const it of both)
  it.on('exit', (code) => {
    process.exitCode ||= code ?? 0
    stop('SIGTERM')
  })

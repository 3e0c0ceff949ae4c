// `npm run bench`: runs measurements as one run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buildIfStale } from './build.ts'
import { beginRun } from './runs/begin.ts'

// Before Playwright is imported, which then reads where temporary files are.
await beginRun()
const words = process.argv.slice(2)
// The server of a bench serves dist/: what is measured is the code of the commit that the results name.
if (words.join() !== 'page') {
  const { code } = await buildIfStale(true)
  if (code !== 0) throw new Error('the app could not be built')
}
const [status] = await once(
  spawn(process.execPath, ['bench/main.ts', ...words], { stdio: 'inherit' }),
  'exit',
)
process.exitCode = (status as number | null) ?? 1

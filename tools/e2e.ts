// `npm run e2e`: runs the browser stories, after a build of the app if needed.
import { spawnSync } from 'node:child_process'
import { buildIfStale } from './build.ts'

const built = await buildIfStale(true)
if (built.code !== 0) process.exit(built.code)
const { status } = spawnSync('playwright', ['test', ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = status ?? 1

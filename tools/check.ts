// `npm run check`: every check that needs no running program.
import { runChecks } from './checks.ts'

const { passed, failed } = await runChecks()
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

// `npm run setup`: installs every program that the tests use and this machine lacks; without it some tests are skipped.
import { prepareHere } from './machine-here.ts'

process.exitCode = (await prepareHere(true)) ? 0 : 1

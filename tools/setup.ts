// `npm run setup`: installs every missing program that the tests use.
import { prepareHere } from './machine-here.ts'

process.exitCode = (await prepareHere(true)) ? 0 : 1

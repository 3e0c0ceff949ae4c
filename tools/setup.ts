// `npm run setup`: installs every missing program that the tests use.
import { prepareLocalMachine } from './local-machine.ts'

process.exitCode = (await prepareLocalMachine(true)) ? 0 : 1

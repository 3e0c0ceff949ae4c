// Routes of accounts: registration, password reset, password validation and email change.
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { emailChangeRoutes } from './email-change.ts'
import { registrationRoutes } from './registration.ts'
import { resetRoutes } from './reset.ts'
import { validationRoutes } from './validation.ts'

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  registrationRoutes(app, deps)
  resetRoutes(app, deps)
  validationRoutes(app, deps)
  emailChangeRoutes(app, deps)
}

// Where drizzle-kit finds the tables and writes migrations.
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './server/store/tables/*.ts',
  out: './server/store/migrations',
})

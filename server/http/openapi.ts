// Derives the OpenAPI document from the contract's endpoints, and serves it with its page.
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import { toJsonSchema } from '@valibot/to-json-schema'
import type { FastifyInstance } from 'fastify'
import { endpoints } from '#contract/api.ts'
import { CHECK_FILE_PATH } from '#contract/identity/admin-identity.ts'
import type { Audience, Schema } from '#contract/endpoint.ts'
import { type ErrorCode, errorBody, errorStatus } from '#contract/errors.ts'
import { API_BASE, MEDIA_PATH } from '#contract/paths.ts'
import { variantPattern } from './media-variant.ts'

interface Described {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly audience: Audience
  readonly summary: string
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  readonly encoding?: 'json' | 'multipart' | 'form'
  readonly files?: readonly string[]
  readonly reply: Schema
  readonly errors: readonly ErrorCode[]
}

interface JsonObject {
  [key: string]: unknown
}

/** The JSON Schema of a schema, without checks that JSON Schema cannot express (graphemes, ages). */
function schemaOf(schema: Schema, typeMode: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: 'ignore', typeMode })
  return rest
}

function parametersOf(schema: Schema | undefined, location: 'path' | 'query'): JsonObject[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: JsonObject
    required?: string[]
  }
  return Object.entries(properties).map(([name, it]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: it,
  }))
}

function bodyOf(it: Described): JsonObject {
  if (!it.body) return {}
  const schema = schemaOf(it.body, 'input')
  if (it.encoding !== 'multipart') {
    const type = it.encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
    return { requestBody: { required: true, content: { [type]: { schema } } } }
  }
  const files = Object.fromEntries((it.files ?? []).map((name) => [name, fileSchema(name)]))
  const properties = { ...(schema['properties'] as JsonObject), ...files }
  return {
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema: { ...schema, properties } } },
    },
  }
}

function fileSchema(name: string): JsonObject {
  const file = { type: 'string', format: 'binary' }
  return name.endsWith('[]') ? { type: 'array', items: file } : file
}

function responsesOf(it: Described): JsonObject {
  const everywhere: ErrorCode[] = ['invalid', 'rate_limited', 'internal']
  if (it.method !== 'GET') everywhere.push('forbidden_origin')
  const byStatus = new Map<number, string[]>()
  for (const code of new Set([...it.errors, ...everywhere])) {
    const status = errorStatus[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const refusals = [...byStatus].map(([status, codes]) => [String(status), refusal(codes.join(', '))])
  const done = {
    description: 'OK',
    content: { 'application/json': { schema: schemaOf(it.reply, 'output') } },
  }
  return { 200: done, ...Object.fromEntries(refusals) }
}

function operationOf(it: Described): JsonObject {
  return {
    operationId: it.name,
    summary: it.summary,
    ...(it.audience !== 'open' ? { security: [{ bearer: [] }] } : {}),
    parameters: [...parametersOf(it.params, 'path'), ...parametersOf(it.query, 'query')],
    ...bodyOf(it),
    responses: responsesOf(it),
  }
}

const refusal = (description: string) => ({ description, content: errorContent })
const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

/** Files are not JSON and so not endpoints; their operations are described here. */
const mediaOperation = {
  operationId: 'getMedia',
  summary: '画像・動画のファイル（範囲指定できます）',
  parameters: [
    { name: 'media_id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
    {
      name: 'variant',
      in: 'path',
      required: true,
      schema: { type: 'string', pattern: variantPattern.source },
    },
  ],
  responses: {
    200: { description: 'OK' },
    206: { description: '範囲' },
    403: refusal('forbidden'),
    404: refusal('not_found'),
    416: refusal('bad_request'),
  },
}

const checkFileOperation = {
  operationId: 'getIdentityFile',
  summary: '本人確認の書類・動画（閲覧は記録されます）',
  security: [{ bearer: [] }],
  parameters: [{ name: 'file_id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
  responses: {
    200: { description: 'OK' },
    401: refusal('unauthenticated'),
    404: refusal('not_found'),
    500: refusal('internal'),
  },
}

/** The whole API as one OpenAPI 3.1 document. */
export function openApi(): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const it of endpoints as unknown as readonly Described[]) {
    const path = API_BASE + it.path.replace(/:([a-z_]+)/gi, '{$1}')
    paths[path] = { ...paths[path], [it.method.toLowerCase()]: operationOf(it) }
  }
  paths[`${MEDIA_PATH}/{media_id}/{variant}`] = { get: mediaOperation }
  paths[API_BASE + CHECK_FILE_PATH.replace(':file_id', '{file_id}')] = { get: checkFileOperation }
  return {
    openapi: '3.1.0',
    info: { title: 'とどけ API', version: '1' },
    paths,
    components: {
      schemas: { Error: schemaOf(errorBody, 'output') },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}

/** The content security policy of the page: only its own files, nothing inline. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

let described: JsonObject | undefined

/** Serves `/api/openapi.json` and the page at `/api/docs`. */
export async function documentApi(app: FastifyInstance): Promise<void> {
  // It takes 40 ms and is the same for every server of a process.
  const document = (described ??= openApi())
  app.get(`${API_BASE}/openapi.json`, (_request, reply) => reply.send(document))
  await app.register(fastifySwagger, { mode: 'static', specification: { document: document as never } })
  await app.register(fastifySwaggerUi, {
    routePrefix: `${API_BASE}/docs`,
    staticCSP: pagePolicy,
    uiConfig: { deepLinking: true },
  })
}

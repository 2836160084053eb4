/** The parts of an OpenAPI document that the checks use. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, unknown>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

export interface Operation {
  readonly operationId: string
  readonly security: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string | number, Response>>
  readonly 'x-assumed'?: true
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: JsonSchema
}

interface Response {
  readonly description: string
  readonly content?: Readonly<Record<string, Media>>
}

interface Media {
  readonly schema: JsonSchema
  readonly examples?: Readonly<
    Record<string, { readonly summary: string; readonly value: unknown; readonly 'x-assumed'?: true }>
  >
}

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly [keyword: string]: unknown
}

/** The parts of a HAR entry that the checks use. */
export interface HarEntry {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly { readonly name: string; readonly value: string }[]
    readonly postData?: { readonly mimeType: string; readonly text: string }
  }
  readonly response: {
    readonly status: number
    readonly content: { readonly mimeType: string; readonly text: string; readonly comment?: string }
  }
  /** The IDs of the faults that affected this request. */
  readonly _faults?: readonly number[]
}

/** The operation that matches a request, and where the OpenAPI document describes it. */
export interface FoundOperation {
  readonly operation: Operation
  /** The JSON pointer to the operation in the document. */
  readonly pointer: string
  /** The decoded values of the path parameters. */
  readonly path: Readonly<Record<string, string>>
}

/** As much of an OpenAPI document as the tests look at. */
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

/** As much of an entry of a HAR file as is looked at. */
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
  /** The IDs of the faults that struck it. */
  readonly _faults?: readonly number[]
}

/** An operation that a request is of. */
export interface FoundOperation {
  readonly operation: Operation
  /** Where it stands in the document. */
  readonly pointer: string
  /** The values in its path, decoded. */
  readonly path: Readonly<Record<string, string>>
}

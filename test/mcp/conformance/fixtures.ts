import type { Call } from '../../../src/mcp/server/call.ts'
import type { Resources } from '../../../src/mcp/server/resources.ts'
import type { Tool, ToolResult } from '../../../src/mcp/tools/tool.ts'

// The tools and resources that the conformance suite expects, except those that this server cannot offer.

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

function tool(name: string, inputSchema: Tool['inputSchema'] = { type: 'object', additionalProperties: false }): Tool {
  return {
    ...{ name, title: `Title of ${name}`, description: `Description of ${name}.`, command: null, as: 'run' },
    ...{ allow: 'reads', needs: [], files: [], form: 'one', members: {}, inputSchema, annotations: READS },
    outputSchema: { type: 'object' },
  }
}

export const TOOLS: readonly Tool[] = [
  tool('test_simple_text'),
  tool('test_error_handling'),
  tool('test_elicitation', { type: 'object', properties: { message: { type: 'string' } } }),
  tool('test_input_required_result_elicitation'),
  tool('test_input_required_result_request_state'),
  tool('test_input_required_result_tampered_state'),
  tool('test_input_required_result_capabilities'),
  tool('test_streaming_elicitation'),
  tool('test_logging_tool'),
  tool('json_schema_2020_12_tool', {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
]

function result(text: string, isError = false): ToolResult {
  return { structuredContent: { text }, text, isError, isUntrusted: false }
}

export const call: Call = async ({ name }, _values, { answer, canAsk }) => {
  if (name === 'test_simple_text' || name === 'test_logging_tool')
    return result('This is a simple text response for testing.')
  if (name === 'test_error_handling') return result('This tool intentionally returns an error for testing', true)
  if (answer !== null) return result(`User response: ${answer.approved}`)
  if (!canAsk) return result('needs-approval')
  const properties = { approve: { type: 'boolean', title: 'Approve' } } as const
  return { ask: { message: 'Approve?', schema: { type: 'object', properties, required: ['approve'] }, state: name } }
}

const STATIC_TEXT = 'test://static-text'

export const RESOURCES: Resources = {
  list: () => [
    {
      ...{ uri: STATIC_TEXT, name: 'static-text', title: 'Static text', description: 'A text for tests.' },
      mimeType: 'text/plain',
    },
  ],
  read: (uri) => (uri === STATIC_TEXT ? 'This is the content of the static text resource.' : null),
}

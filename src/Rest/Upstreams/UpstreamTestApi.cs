using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Upstreams;

/// <summary>The description of tries to connect.</summary>
internal static class UpstreamTestApi
{
    private const string Schemas =
        """
        {
          "UpstreamTest": {
            "type": "object",
            "properties": {
              "ok": {"type": "boolean"},
              "steps": {
                "type": "array", "description": "In their order.",
                "items": {
                  "type": "object",
                  "properties": {
                    "step": {"enum": ["reach", "security", "certificate", "session", "user", "read"]},
                    "state": {"enum": ["ok", "fault", "skipped"]}, "words": {"type": "string"},
                    "remedy": {"type": "string", "description": "What to do."}, "ms": {"type": "integer"}
                  },
                  "required": ["step", "state", "words"], "additionalProperties": false
                }
              }
            },
            "required": ["ok", "steps"], "additionalProperties": false
          }
        }
        """;

    public static ApiOperation Post { get; } = new(
        """
        {
          "operationId": "testUpstream", "tags": ["Gateway"],
          "summary": "Try to connect to an upstream before it is saved. Role: Engineer.",
          "description": "Nothing of the try stays, but for a server's certificate that is rejected.",
          "requestBody": {
            "required": true,
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "endpointUrl": {"type": "string", "pattern": "^opc\\.tcp://"},
                    "securityPolicy": {"type": "string", "description": "Without it the best that both sides know."},
                    "securityMode": {"enum": ["", "None", "Sign", "SignAndEncrypt"]},
                    "user": {"type": "string", "description": "Without it anonymous."},
                    "password": {"type": "string"}
                  },
                  "required": ["endpointUrl"]
                },
                "examples": {
                  "unreachable": {"value": {"endpointUrl": "opc.tcp://127.0.0.1:1"} },
                  "noAddress": {"value": {"endpointUrl": "http://127.0.0.1:1"}, "x-status": 400}
                }
              }
            }
          },
          "responses": {
            "200": {
              "description": "What came of each step.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/UpstreamTest"} } }
            }
          }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => Schemas,
        OwnProblems = [new(429, "Too many connections are being tried", StatusCodes.BadTooManyOperations)],
    };
}

using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Upstreams;

/// <summary>The description of tries to connect to a broker.</summary>
internal static class BrokerTestApi
{
    private const string Schemas =
        """
        {
          "BrokerTest": {
            "type": "object",
            "properties": {
              "ok": {"type": "boolean"},
              "steps": {
                "type": "array", "description": "In their order.",
                "items": {
                  "type": "object",
                  "properties": {
                    "step": {"enum": ["reach", "tls", "login", "limits"]},
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
          "operationId": "testBroker", "tags": ["Gateway"],
          "summary": "Try to connect to an MQTT broker before it is saved. Role: Engineer.",
          "description": "Under a client name of its own. Nothing is published, and nothing of the try stays.",
          "requestBody": {
            "required": true,
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "address": {"type": "string", "pattern": "^mqtts?://"},
                    "user": {"type": "string"}, "password": {"type": "string"},
                    "mqttVersion": {"enum": ["", "3.1.1", "5.0"], "description": "Without it 5.0."},
                    "caPath": {"type": "string", "description": "PEM file at the gateway."},
                    "certificatePath": {"type": "string", "description": "PEM file at the gateway."},
                    "keyPath": {"type": "string", "description": "PEM file at the gateway."}
                  },
                  "required": ["address"]
                },
                "examples": {
                  "unreachable": {"value": {"address": "mqtt://127.0.0.1:1"} },
                  "noAddress": {"value": {"address": "http://127.0.0.1:1"}, "x-status": 400}
                }
              }
            }
          },
          "responses": {
            "200": {
              "description": "What came of each step.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/BrokerTest"} } }
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

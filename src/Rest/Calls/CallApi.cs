using Gateway.Rest.Routing;
using Gateway.Rest.Values;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Calls;

/// <summary>The descriptions of calls.</summary>
internal static class CallApi
{
    public static ApiOperation Post { get; } = new(
        """
        {
          "operationId": "call", "tags": ["Methods"], "summary": "Call a method.",
          "requestBody": {
            "required": true,
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "object": {"$ref": "#/components/schemas/Node"},
                    "method": {"$ref": "#/components/schemas/Node"},
                    "inputs": {
                      "description": "In the order of the method, or by their names.",
                      "anyOf": [
                        {"type": "array", "maxItems": 256, "items": {}},
                        {"type": "object", "maxProperties": 256, "additionalProperties": {}},
                        {"type": "null"}
                      ]
                    }
                  },
                  "required": ["object", "method"], "additionalProperties": false
                },
                "examples": {
                  "named": {
                    "value": {"object": "ns=2;s=Methods", "method": "ns=2;s=Add", "inputs": {"A": 2, "B": 3}}
                  },
                  "listed": {"value": {"object": "ns=2;s=Methods", "method": "ns=2;s=Add", "inputs": [2, 3]}},
                  "oneMissing": {
                    "value": {"object": "ns=2;s=Methods", "method": "ns=2;s=Add", "inputs": [2]}, "x-status": 400
                  },
                  "noMethod": {"value": {"object": "ns=2;s=Methods", "method": "ns=2;s=Nowhere"}, "x-status": 404}
                }
              }
            }
          },
          "responses": {
            "200": {
              "description": "What the method or its source says: the status is Bad where the call was not made.",
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "properties": {
                      "status": {"$ref": "#/components/schemas/Status"},
                      "outputs": {"type": "array", "items": {}, "description": "In the order of the method."}
                    },
                    "required": ["status", "outputs"], "additionalProperties": false
                  },
                  "examples": {"named": {"value": {"status": "Good", "outputs": [5]}}}
                }
              }
            }
          }
        }
        """,
        StatusCodes.BadNodeIdInvalid, StatusCodes.BadArgumentsMissing, StatusCodes.BadTooManyArguments,
        StatusCodes.BadInvalidArgument, StatusCodes.BadNodeIdUnknown, StatusCodes.BadMethodInvalid,
        StatusCodes.BadNoMatch, StatusCodes.BadTooManyMatches, StatusCodes.BadUserAccessDenied,
        StatusCodes.BadSecurityModeInsufficient,
        StatusCodes.BadNotExecutable, StatusCodes.BadNotImplemented)
    {
        Schemas = static () => ValuesApi.Schemas,
    };
}

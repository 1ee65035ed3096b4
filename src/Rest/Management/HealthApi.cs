using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary>The description of health.</summary>
internal static class HealthApi
{
    private const string Schemas =
        """
        {
          "HealthCheck": {
            "type": "object",
            "properties": {
              "name": {"type": "string"}, "health": {"enum": ["healthy", "degraded", "unhealthy"]},
              "detail": {"type": "string"},
              "sources": {
                "type": "object", "additionalProperties": {"type": "string"},
                "description": "The sources of a driver by their names, with their states."
              }
            },
            "required": ["name", "health"], "additionalProperties": false
          },
          "Health": {
            "type": "object",
            "properties": {
              "health": {"enum": ["healthy", "degraded"]},
              "checks": {"type": "array", "items": {"$ref": "#/components/schemas/HealthCheck"}}
            },
            "required": ["health", "checks"], "additionalProperties": false
          },
          "HealthProblem": {
            "type": "object",
            "description": "A problem; of health with its checks.",
            "properties": {
              "type": {"const": "about:blank"}, "title": {"type": "string"}, "status": {"const": 503},
              "statusCode": {
                "type": "string", "pattern": "^Bad[A-Za-z]+$",
                "description": "BadNoCommunication: a check is unhealthy. Another: the gateway is too busy to say."
              },
              "detail": {"type": "string", "description": "The names of those that are unhealthy."},
              "health": {"const": "unhealthy"},
              "checks": {"type": "array", "items": {"$ref": "#/components/schemas/HealthCheck"}}
            },
            "required": ["type", "title", "status", "statusCode"], "additionalProperties": false
          }
        }
        """;

    public static ApiOperation Get { get; } = new(
        """
        {
          "operationId": "getHealth", "tags": ["Gateway"], "summary": "Each health check.",
          "parameters": [
            {
              "name": "name", "in": "query", "schema": {"type": "string"}, "description": "Asks for this one alone.",
              "examples": {"one": {"value": "Readiness"}, "unknown": {"value": "Nothing", "x-status": 404}}
            }
          ],
          "responses": {
            "200": {
              "description": "None is unhealthy.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Health"}}}
            },
            "503": {
              "description": "One is unhealthy (BadNoCommunication), or the gateway is too busy.",
              "headers": {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}},
              "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/HealthProblem"}}}
            }
          }
        }
        """,
        StatusCodes.BadUserAccessDenied)
    {
        Schemas = static () => Schemas,
        OwnProblems = [new(404, "No health check has that name", StatusCodes.BadNotFound)],
    };
}

using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Overview;

/// <summary>The description of the last minutes.</summary>
internal static class OverviewApi
{
    private const string Schemas =
        """
        {
          "Overview": {
            "type": "object",
            "properties": {
              "sequence": {"type": "integer", "minimum": 0, "description": "Send it back as since."},
              "intervalMs": {"type": "integer", "minimum": 1, "description": "Between two samples."},
              "samples": {
                "type": "array", "items": {"$ref": "#/components/schemas/OverviewSample"}, "maxItems": 300,
                "description": "The oldest first."
              }
            },
            "required": ["sequence", "intervalMs", "samples"], "additionalProperties": false
          },
          "OverviewSample": {
            "type": "object",
            "properties": {
              "sequence": {"type": "integer", "minimum": 1}, "at": {"type": "string", "format": "date-time"},
              "sessions": {"type": "integer"}, "connections": {"type": "integer", "description": "Of UA-TCP."},
              "httpConnections": {"type": "integer"}, "subscriptions": {"type": "integer"},
              "monitoredItems": {"type": "integer"}, "notificationsPerSecond": {"type": "number"},
              "messagesPerSecond": {
                "type": "number", "description": "Messages of subscriptions and batches of streams."
              },
              "requestsPerSecond": {"type": "number", "description": "Of UA Binary and of HTTP."},
              "rejectionsPerSecond": {"type": "number", "description": "By admission, at all of its stages."},
              "latenessMs": {
                "type": "number", "description": "From a subscription's due time to its sweep; the worst of the sample."
              },
              "cpuPercent": {"type": "number", "description": "Of one core."},
              "memoryBytes": {"type": "integer", "description": "Resident."}
            },
            "required": [
              "sequence", "at", "sessions", "connections", "httpConnections", "subscriptions", "monitoredItems",
              "notificationsPerSecond", "messagesPerSecond", "requestsPerSecond", "rejectionsPerSecond", "latenessMs",
              "cpuPercent", "memoryBytes"
            ],
            "additionalProperties": false
          }
        }
        """;

    public static ApiOperation Get { get; } = new(
        """
        {
          "operationId": "getOverview", "tags": ["Gateway"],
          "summary": "Counters and rates of the last ten minutes, one sample each two seconds.",
          "parameters": [
            {
              "name": "since", "in": "query", "schema": {"type": "integer", "minimum": 0},
              "description": "The member sequence of an earlier answer: what is new.",
              "examples": {"none": {"value": 0}, "noNumber": {"value": "soon", "x-status": 400} }
            }
          ],
          "responses": {
            "200": {
              "description": "The samples.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Overview"} } }
            }
          }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => Schemas,
    };
}

using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Overview;

/// <summary>The description of notices.</summary>
internal static class NoticesApi
{
    private const string Members =
        """
        "id": {"type": "string", "description": "kind:subject."},
        "kind": {
          "enum": [
            "source", "drift", "pubsub", "store", "disk", "certificate", "trust", "storm", "late", "overload",
            "limit", "memory"
          ]
        },
        "subject": {"type": "string"}, "severity": {"enum": ["warning", "fault"]},
        "since": {"type": "string", "format": "date-time"}, "words": {"type": "string"},
        "remedy": {"type": "string", "description": "What to do."}
        """;

    private static string Schemas =>
        $$"""
        {
          "Notice": {
            "type": "object", "properties": {{{Members}}},
            "required": ["id", "kind", "subject", "severity", "words"], "additionalProperties": false
          },
          "NoticeChange": {
            "type": "object",
            "properties": {
              "at": {"type": "string", "format": "date-time"}, "change": {"enum": ["began", "changed", "ended"]},
              {{Members}}
            },
            "required": ["at", "change", "id", "kind", "subject", "severity", "words"], "additionalProperties": false
          },
          "Notices": {
            "type": "object",
            "properties": {
              "active": {
                "type": "array", "items": {"$ref": "#/components/schemas/Notice"}, "description": "The faults first."
              },
              "recent": {
                "type": "array", "items": {"$ref": "#/components/schemas/NoticeChange"}, "maxItems": 200,
                "description": "The newest first."
              }
            },
            "required": ["active", "recent"], "additionalProperties": false
          }
        }
        """;

    public static ApiOperation Get { get; } = new(
        """
        {
          "operationId": "getNotices", "tags": ["Gateway"],
          "summary": "What is wrong with the gateway itself, what to do, and what changed lately.",
          "responses": {
            "200": {
              "description": "As the gateway saw it a few seconds ago at most.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Notices"} } }
            }
          }
        }
        """,
        StatusCodes.BadUserAccessDenied)
    {
        Schemas = static () => Schemas,
    };
}

using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Tracing;

/// <summary>The description of a value's way.</summary>
internal static class TraceApi
{
    private const string Schemas =
        """
        {
          "Trace": {
            "type": "object",
            "properties": {
              "node": {"type": "string"}, "displayName": {"type": "string"}, "nodeClass": {"type": "string"},
              "at": {"type": "string", "format": "date-time"},
              "state": {"enum": ["ok", "warning", "fault"], "description": "Of the worst hop."},
              "faultHop": {"type": "string", "description": "The hop that has first set."},
              "hops": {
                "type": "array", "description": "From the source to the clients.",
                "items": {"$ref": "#/components/schemas/TraceHop"}
              }
            },
            "required": ["node", "at", "state", "hops"], "additionalProperties": false
          },
          "TraceHop": {
            "type": "object",
            "properties": {
              "hop": {
                "enum": ["node", "source", "item", "store", "items", "sweep", "sessions", "streams", "writers"]
              },
              "title": {"type": "string"},
              "state": {
                "enum": ["ok", "warning", "fault", "none"], "description": "none: the value does not go that way."
              },
              "words": {"type": "string"}, "remedy": {"type": "string", "description": "What to do."},
              "ageMs": {"type": "integer", "description": "Of the last value here."},
              "since": {"type": "string", "format": "date-time"},
              "first": {"const": true, "description": "The first hop of the worst state."},
              "facts": {"type": "object", "additionalProperties": {"type": ["string", "number"]} }
            },
            "required": ["hop", "title", "state", "words", "facts"], "additionalProperties": false
          }
        }
        """;

    public static ApiOperation Get { get; } = new(
        """
        {
          "operationId": "getTrace", "tags": ["Gateway"],
          "summary": "Why is there no data? The way of a node's values, hop by hop.",
          "parameters": [
            {
              "name": "node", "in": "query", "required": true, "schema": {"type": "string"},
              "description": "nsu=<uri>;s=x, ns=2;s=x, or a path as /Objects/2:Plant.",
              "examples": {
                "some": {"value": "ns=2;s=Int16"}, "unknown": {"value": "ns=2;s=Nowhere"},
                "noId": {"value": "Int16", "x-status": 400}
              }
            }
          ],
          "responses": {
            "200": {
              "description": "As it is now; also of a node that there is not.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Trace"} } }
            }
          }
        }
        """,
        StatusCodes.BadNodeIdInvalid)
    {
        Schemas = static () => Schemas,
    };

    public static string NameOf(HopState state) => state switch
    {
        HopState.Ok => "ok",
        HopState.Warning => "warning",
        HopState.Fault => "fault",
        _ => "none",
    };
}

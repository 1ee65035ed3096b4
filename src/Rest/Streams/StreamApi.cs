using Gateway.Rest.Routing;
using Gateway.Rest.Values;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Streams;

/// <summary>The descriptions of streams.</summary>
internal static class StreamApi
{
    private static string Schemas => ApiText.Merge(
        ValuesApi.Schemas,
        """
        {
          "StreamEvent": {
            "type": "object",
            "description": "The data of an event of the name values.",
            "properties": {
              "values": {"type": "array", "items": {"$ref": "#/components/schemas/Value"}},
              "skipped": {
                "type": "integer", "minimum": 0,
                "description": "Values that newer ones have replaced because the client was slow."
              }
            },
            "required": ["values", "skipped"],
            "additionalProperties": false
          }
        }
        """);

    private const string Answer =
        """
        {
          "description": "Server-Sent Events. Each has an id, the name values, and JSON data (StreamEvent).",
          "content": {
            "text/event-stream": {
              "schema": {"type": "string"},
              "x-itemSchema": {"$ref": "#/components/schemas/StreamEvent"}
            }
          }
        }
        """;

    public const string LastEvent =
        """
        {
          "name": "Last-Event-ID", "in": "header", "schema": {"type": "string"},
          "description": "Of the last event that a client with the same nodes and interval got: it gets what it missed."
        }
        """;

    public static ApiOperation Get { get; } = new(
        static () => $$"""
        {
          "operationId": "getStream", "tags": ["Stream"], "summary": "Watch the values of some nodes.",
          "parameters": [
            {
              "name": "node", "in": "query", "required": true, "description": "Repeat it for more nodes.",
              "schema": {
                "type": "array", "items": {"$ref": "#/components/schemas/Node"},
                "minItems": 1, "maxItems": "{MaxHttpNodes}"
              },
              "examples": {
                "one": {"value": ["ns=2;s=ReadOnly"]},
                "negative": {"value": ["ns=2;s=ReadOnly"], "x-status": 400}
              }
            },
            {
              "name": "interval", "in": "query", "description": "Between two events, in ms.",
              "schema": {"type": "number", "exclusiveMinimum": 0, "default": 1000},
              "examples": {"one": {"value": 500}, "negative": {"value": -1, "x-status": 400} }
            },
            {{LastEvent}}
          ],
          "responses": {"200": {{Answer}} }
        }
        """,
        Problems)
    {
        Schemas = static () => Schemas,
    };

    public static ApiOperation Post { get; } = new(
        static () => $$"""
        {
          "operationId": "postStream", "tags": ["Stream"], "summary": "Watch the values of many nodes.",
          "parameters": [{{LastEvent}}],
          "requestBody": {
            "required": true,
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "nodes": {
                      "type": "array", "items": {"$ref": "#/components/schemas/Node"},
                      "minItems": 1, "maxItems": "{MaxHttpNodes}"
                    },
                    "interval": {
                      "type": "number", "exclusiveMinimum": 0, "default": 1000,
                      "description": "Between two events, in ms."
                    }
                  },
                  "required": ["nodes"], "additionalProperties": false
                },
                "examples": {
                  "one": {"value": {"nodes": ["ns=2;s=ReadOnly"], "interval": 500} },
                  "none": {"value": {"nodes": []}, "x-status": 400}
                }
              }
            }
          },
          "responses": {"200": {{Answer}} }
        }
        """,
        Problems)
    {
        Schemas = static () => Schemas,
    };

    private static Codec.Types.StatusCode[] Problems =>
    [
        StatusCodes.BadNodeIdInvalid, StatusCodes.BadNothingToDo, StatusCodes.BadTooManyOperations,
        StatusCodes.BadInvalidArgument, StatusCodes.BadTooManySubscriptions, StatusCodes.BadShutdown,
    ];
}

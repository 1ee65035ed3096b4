using Gateway.Events.Plain;
using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Streams;

/// <summary>The description of event streams.</summary>
internal static class EventsApi
{
    private const string Schemas =
        """
        {
          "EventEntry": {
            "type": "object",
            "description": "An event: the fields that were asked for and that it has. Or where a refresh stands.",
            "properties": {
              "refresh": {
                "enum": ["start", "end", "required"],
                "description": "Alone in its entry. Between start and end come all alarms of interest."
              },
              "eventId": {"type": "string", "description": "Base64."}, "eventType": {"type": "string"},
              "sourceNode": {"type": "string"}, "sourceName": {"type": "string"},
              "time": {"type": "string", "format": "date-time"}, "message": {"type": "string"},
              "severity": {"type": "integer", "minimum": 0, "maximum": 1000},
              "alarm": {"type": "string", "description": "The ConditionId: an answer names it with the eventId."},
              "branchId": {
                "type": "string",
                "description": "An earlier state of the alarm that waits for an answer. Absent: its present state."
              },
              "conditionName": {"type": "string"}, "active": {"type": "boolean"},
              "acknowledged": {"type": "boolean"}, "retain": {"type": "boolean", "description": "Of interest."}
            }
          },
          "EventsEvent": {
            "type": "object",
            "description": "The data of an event of the name events.",
            "properties": {
              "events": {"type": "array", "items": {"$ref": "#/components/schemas/EventEntry"} },
              "skipped": {
                "type": "integer", "minimum": 0,
                "description": "Events that were lost before these because the client was slow, or more."
              }
            },
            "required": ["events", "skipped"],
            "additionalProperties": false
          }
        }
        """;

    public static ApiOperation Get { get; } = new(
        static () => $$"""
        {
          "operationId": "getEvents", "tags": ["Stream"], "summary": "Watch events and alarms.",
          "parameters": [
            {
              "name": "source", "in": "query",
              "description": "A node that has events: those below it come. Repeat it for more. Default: all events.",
              "schema": {
                "type": "array", "items": {"$ref": "#/components/schemas/Node"}, "maxItems": "{MaxHttpNodes}"
              },
              "examples": {
                "active": {"value": ["i=2253"]},
                "variable": {"value": ["ns=2;s=Int16"], "x-status": 400},
                "unknown": {"value": ["ns=2;s=Nowhere"], "x-status": 404}
              }
            },
            {
              "name": "type", "in": "query",
              "description": "Names or node ids of types of events, with their subtypes; separated by commas.",
              "schema": {"type": "string"},
              "examples": {
                "active": {"value": "AlarmConditionType"}, "none": {"value": "NoSuchType", "x-status": 400}
              }
            },
            {
              "name": "minSeverity", "in": "query", "schema": {"type": "integer", "minimum": 0, "maximum": 1000},
              "examples": {"active": {"value": 500}, "above": {"value": 1001, "x-status": 400} }
            },
            {
              "name": "fields", "in": "query", "description": "Names of fields, separated by commas.",
              "schema": {"type": "string", "default": "{{string.Join(',', PlainFields.Usual)}}"},
              "examples": {"active": {"value": "message,severity"}, "wrong": {"value": "a//b", "x-status": 400} }
            },
            {
              "name": "alarms", "in": "query",
              "description": "With active: first the alarms of interest, and again after a loss.",
              "schema": {"enum": ["active"]},
              "examples": {"active": {"value": "active"}, "other": {"value": "all", "x-status": 400} }
            },
            {
              "name": "interval", "in": "query", "description": "Between two events of the stream, in ms.",
              "schema": {"type": "number", "exclusiveMinimum": 0, "default": 500},
              "examples": {"active": {"value": 500}, "negative": {"value": -1, "x-status": 400} }
            },
            {{StreamApi.LastEvent}}
          ],
          "responses": {
            "200": {
              "description": "Server-Sent Events. Each has an id, the name events, and JSON data (EventsEvent).",
              "content": {
                "text/event-stream": {
                  "schema": {"type": "string"},
                  "x-itemSchema": {"$ref": "#/components/schemas/EventsEvent"}
                }
              }
            }
          }
        }
        """,
        StatusCodes.BadInvalidArgument, StatusCodes.BadNodeIdInvalid, StatusCodes.BadNodeIdUnknown,
        StatusCodes.BadTooManyOperations, StatusCodes.BadUserAccessDenied, StatusCodes.BadTooManySubscriptions,
        StatusCodes.BadTooManyMonitoredItems, StatusCodes.BadResourceUnavailable, StatusCodes.BadShutdown)
    {
        Schemas = static () => ApiText.Merge(Values.ValuesApi.Schemas, Schemas),
    };
}

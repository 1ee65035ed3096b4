using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Alarms;

/// <summary>The description of alarms.</summary>
internal static class AlarmsApi
{
    private const string Schemas =
        """
        {
          "Alarm": {
            "type": "object",
            "properties": {
              "alarm": {"type": "string", "description": "Its ConditionId."},
              "eventId": {"type": "string", "description": "Of its last event, Base64: an answer names it."},
              "branch": {"type": "string", "description": "An earlier state that waits for its acknowledgement."},
              "name": {"type": "string"}, "source": {"type": "string"},
              "upstream": {"type": "string", "description": "Its name; without it the alarm is the gateway's own."},
              "quality": {
                "type": "string",
                "description": "Where it is not Good: BadNoCommunication while the upstream is away."
              },
              "time": {"type": "string", "format": "date-time", "description": "Of its last event."},
              "severity": {"type": "integer", "minimum": 1, "maximum": 1000}, "message": {"type": "string"},
              "active": {"type": "boolean"},
              "since": {"type": "string", "format": "date-time", "description": "Active, or not active, since then."},
              "acknowledged": {"type": "boolean"}, "confirmed": {"type": "boolean"},
              "retain": {"type": "boolean", "description": "Of interest."}, "enabled": {"type": "boolean"},
              "suppressed": {"type": "boolean"}, "outOfService": {"type": "boolean"},
              "shelving": {"enum": ["Unshelved", "TimedShelved", "OneShotShelved"]},
              "comment": {"type": "string"}, "user": {"type": "string", "description": "Of the last answer."}
            },
            "required": [
              "alarm", "eventId", "name", "source", "time", "severity", "message", "active", "acknowledged",
              "confirmed", "retain", "enabled", "suppressed", "outOfService", "shelving"
            ],
            "additionalProperties": false
          },
          "Alarms": {
            "type": "object",
            "properties": {
              "total": {"type": "integer", "description": "Those of interest, and their branches."},
              "active": {
                "type": "array", "items": {"$ref": "#/components/schemas/Alarm"},
                "description": "Those of interest, and their branches; the most severe first."
              },
              "recent": {
                "type": "array", "items": {"$ref": "#/components/schemas/Alarm"},
                "description": "As each of the last events told it; the newest first."
              }
            },
            "required": ["total", "active", "recent"], "additionalProperties": false
          },
          "AlarmAnswer": {
            "type": "object",
            "properties": {
              "alarm": {"type": "string"}, "eventId": {"type": "string"},
              "comment": {
                "type": "string",
                "description": "Limits:MaxConditionCommentBytes at most. Without it the last one stays."
              }
            },
            "required": ["alarm", "eventId"]
          }
        }
        """;

    public static IReadOnlyList<ApiProblem> OwnProblems { get; } =
    [
        new(404, "There is no such alarm", StatusCodes.BadNodeIdUnknown),
        new(404, "The alarm has no such event", StatusCodes.BadEventIdUnknown),
        new(409, "It is acknowledged already", StatusCodes.BadConditionBranchAlreadyAcked),
        new(
            409, "It is confirmed already, or waits for no confirmation",
            StatusCodes.BadConditionBranchAlreadyConfirmed),
        new(409, "The alarm is disabled", StatusCodes.BadConditionDisabled),
    ];

    public static ApiOperation Get { get; } = new(
        """
        {
          "operationId": "getAlarms", "tags": ["Gateway"],
          "summary": "The alarms of the gateway: those of interest now, and what became of them lately.",
          "parameters": [
            {
              "name": "limit", "in": "query", "description": "Of each of the two lists.",
              "schema": {"type": "integer", "minimum": 1, "default": 1000},
              "examples": {"some": {"value": 2}, "none": {"value": 0, "x-status": 400} }
            }
          ],
          "responses": {
            "200": {
              "description": "Those whose source's events the user may have.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Alarms"} } }
            }
          }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => Schemas,
    };

    public static ApiOperation Acknowledge { get; } = Answer("acknowledgeAlarm", "Acknowledge an alarm.");

    public static ApiOperation Confirm { get; } = Answer("confirmAlarm", "Confirm an alarm that is acknowledged.");

    public static ApiOperation Comment { get; } = Answer("commentAlarm", "Comment on an alarm.");

    private static ApiOperation Answer(string id, string summary) => new(
        $$"""
        {
          "operationId": "{{id}}", "tags": ["Gateway"],
          "summary": "{{summary}} Role: Operator or Engineer.",
          "requestBody": {
            "required": true,
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/AlarmAnswer"},
                "examples": {
                  "unknown": {"value": {"alarm": "ns=1;s=Alarms/source/None", "eventId": "AAAA"}, "x-status": 404},
                  "noEvent": {"value": {"alarm": "ns=1;s=Alarms/source/None"}, "x-status": 400}
                }
              }
            }
          },
          "responses": {
            "200": {
              "description": "Done; the alarm has another event now.",
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object", "properties": {"status": {"const": "Good"} }, "required": ["status"],
                    "additionalProperties": false
                  }
                }
              }
            }
          }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument, StatusCodes.BadNoCommunication,
        StatusCodes.BadTimeout)
    {
        Schemas = static () => Schemas,
        OwnProblems = OwnProblems,
    };
}

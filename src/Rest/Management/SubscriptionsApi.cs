using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary>The descriptions of subscriptions.</summary>
internal static class SubscriptionsApi
{
    private static ManagementList Described => new("subscriptions", "SubscriptionEntry", Members);

    private static ApiProblem Missing { get; } = new(
        404, "There is no such subscription", StatusCodes.BadSubscriptionIdInvalid);

    private static string Members =>
        $$"""
        {
          "id": {"type": "integer", "minimum": 0}, "kind": {"enum": ["session", "stream"]},
          "state": {
            "enum": ["active", "late", "waiting"],
            "description": "late: Publish requests are missing; waiting: for its session."
          },
          "sessionId": {"type": "string"},
          "user": {"type": "string", "description": "For the role SecurityAdmin only."},
          "certificate": {"type": "string", "description": "The thumbprint. For the role SecurityAdmin only."},
          "address": {"type": "string"}, "applicationUri": {"type": "string"},
          "publishingIntervalMs": {"type": "number", "minimum": 0}, "publishingEnabled": {"type": "boolean"},
          "priority": {"type": "integer", "minimum": 0}, "maxKeepAliveCount": {"type": "integer", "minimum": 0},
          "maxLifetimeCount": {"type": "integer", "minimum": 0},
          "monitoredItems": {"type": "integer", "minimum": 0}, "queueCapacity": {"type": "integer", "minimum": 0},
          "queueOverflows": {"type": "integer", "minimum": 0}, "discarded": {"type": "integer", "minimum": 0},
          "notifications": {"type": "integer", "minimum": 0}, "lateCycles": {"type": "integer", "minimum": 0},
          "unacknowledged": {"type": "integer", "minimum": 0}
        }
        """;

    private const string NoField = """, "noField": {"value": "4000000000", "x-status": 400}""";

    /// <param name="more">Examples of one operation.</param>
    private static string Id(string more) =>
        $$"""
        {
          "name": "id", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1},
          "description": "Its SubscriptionId.",
          "examples": {"unknown": {"value": "4000000000", "x-status": 404}{{more}} }
        }
        """;

    public static ApiOperation List { get; } = new(
        static () => $$"""
        {
          "operationId": "getSubscriptions", "tags": ["Clients"],
          "summary": "The subscriptions of sessions, and the streams of HTTP.",
          "parameters": [{{Described.Page}}],
          "responses": {"200": {{Described.PageAnswer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => Described.Schemas,
    };

    public static ApiOperation Get { get; } = new(
        static () => $$"""
        {
          "operationId": "getSubscription", "tags": ["Clients"], "summary": "One subscription of a session.",
          "parameters": [
            {{Id(NoField)}}, {{Described.EntryFields}}
          ],
          "responses": {"200": {{Described.EntryAnswer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => Described.Schemas,
        OwnProblems = [Missing],
    };
}

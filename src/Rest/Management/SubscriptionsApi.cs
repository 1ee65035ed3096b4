using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary>The descriptions of subscriptions.</summary>
internal static class SubscriptionsApi
{
    private static readonly ClientOperations Operations = new(
        static () => new("subscriptions", "SubscriptionEntry", Members), "subscription", "Its SubscriptionId.",
        "4000000000", StatusCodes.BadSubscriptionIdInvalid);

    public static ApiOperation List { get; } = Operations.List(
        "The subscriptions of sessions, and the streams of HTTP.");

    public static ApiOperation Get { get; } = Operations.Get("One subscription of a session.");

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
          "unacknowledged": {"type": "integer", "minimum": 0},
          "durable": {"type": "boolean", "description": "It outlives the gateway."}
        }
        """;
}

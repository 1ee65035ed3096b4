using Gateway.Rest.Routing;
using Gateway.Server.Management;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary>The descriptions of sessions.</summary>
internal static class SessionsApi
{
    private static readonly ClientOperations Operations = new(
        static () => new("sessions", "SessionEntry", Members), "session",
        "As the list has it; ns=1;g= may stand before it.", "00000000-0000-0000-0000-000000000000",
        StatusCodes.BadSessionIdInvalid);

    public static ApiOperation List { get; } = Operations.List("The sessions, of every transport.");

    public static ApiOperation Get { get; } = Operations.Get("One session.");

    public static ApiOperation Delete { get; } = Operations.Delete(
        "Its client gets BadSessionClosed. Its subscriptions end. Roles: Engineer, SecurityAdmin.");

    private static string States => ApiText.ArrayOf(
        Enum.GetNames<SessionPhase>().Select(static name => name.ToLowerInvariant()));

    private static string Members =>
        $$"""
        {
          "id": {"type": "string", "description": "The Guid of its SessionId."}, "name": {"type": "string"},
          "applicationName": {"type": "string"}, "applicationUri": {"type": "string"},
          "state": {"enum": {{States}} },
          "user": {"type": "string", "description": "For the role SecurityAdmin only."},
          "certificate": {"type": "string", "description": "Its thumbprint. For the role SecurityAdmin only."},
          "subject": {"type": "string", "description": "Of its certificate. For the role SecurityAdmin only."},
          "door": {"type": "string", "description": "The scheme of its transport: opc.tcp, https, opc.wss."},
          "address": {"type": "string"}, "channelId": {"type": "integer", "minimum": 0},
          "securityPolicy": {"type": "string"}, "securityMode": {"type": "string"},
          "since": {"type": "string", "format": "date-time"},
          "lastActivity": {"type": "string", "format": "date-time"}, "timeoutMs": {"type": "number", "minimum": 0},
          "subscriptions": {"type": "integer", "minimum": 0}, "monitoredItems": {"type": "integer", "minimum": 0},
          "queueCapacity": {"type": "integer", "minimum": 0}, "queueOverflows": {"type": "integer", "minimum": 0},
          "publishRequests": {"type": "integer", "minimum": 0, "description": "That it holds."},
          "pendingRequests": {"type": "integer", "minimum": 0}, "requests": {"type": "integer", "minimum": 0},
          "failedRequests": {"type": "integer", "minimum": 0}, "notifications": {"type": "integer", "minimum": 0},
          "lateSubscriptions": {"type": "integer", "minimum": 0}, "lateCycles": {"type": "integer", "minimum": 0},
          "why": {
            "type": "array", "items": {"type": "string"},
            "description": "Why it is slow or was refused something."
          }
        }
        """;
}

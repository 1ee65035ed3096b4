using Gateway.Rest.Routing;
using Gateway.Transport.Hosting;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary>The descriptions of connections.</summary>
internal static class ConnectionsApi
{
    private static readonly ClientOperations Operations = new(
        static () => new("connections", "ConnectionEntry", Members), "connection", "As the list has it.",
        "tcp-9999-9999", StatusCodes.BadSecureChannelIdInvalid);

    public static ApiOperation List { get; } = Operations.List(
        "The connections: those of UA-TCP first, then those of HTTP.");

    public static ApiOperation Get { get; } = Operations.Get("One connection.");

    public static ApiOperation Delete { get; } = Operations.Delete(
        "Its client gets BadSecureChannelClosed. Its sessions wait. Roles: Engineer, SecurityAdmin.");

    private static string States => ApiText.ArrayOf(
        [.. Enum.GetNames<ConnectionState>().Select(static name => name.ToLowerInvariant()), "busy", "idle"]);

    private static string Members =>
        $$"""
        {
          "id": {"type": "string", "description": "tcp- or http-, and two numbers."},
          "door": {"enum": ["opc.tcp", "http"]}, "address": {"type": "string"}, "state": {"enum": {{States}} },
          "since": {"type": "string", "format": "date-time"},
          "lastActivity": {"type": "string", "format": "date-time"},
          "channelId": {"type": "integer", "minimum": 0}, "securityPolicy": {"type": "string"},
          "securityMode": {"type": "string"},
          "certificate": {"type": "string", "description": "The thumbprint. For the role SecurityAdmin only."},
          "subject": {"type": "string", "description": "For the role SecurityAdmin only."},
          "endpointUrl": {"type": "string"}, "sessions": {"type": "integer", "minimum": 0},
          "heldBytes": {"type": "integer", "minimum": 0},
          "why": {"type": "array", "items": {"type": "string"}, "description": "What it waits for, or was refused."}
        }
        """;
}

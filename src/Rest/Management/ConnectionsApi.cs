using Gateway.Rest.Routing;
using Gateway.Transport.Hosting;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary>The descriptions of connections.</summary>
internal static class ConnectionsApi
{
    private static ManagementList Described => new("connections", "ConnectionEntry", Members);

    private static ApiProblem Missing { get; } = new(
        404, "There is no such connection", StatusCodes.BadSecureChannelIdInvalid);

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

    private const string NoField = """, "noField": {"value": "tcp-9999-9999", "x-status": 400}""";

    /// <param name="more">Examples of one operation.</param>
    private static string Id(string more) =>
        $$"""
        {
          "name": "id", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1},
          "description": "As the list has it.",
          "examples": {"unknown": {"value": "tcp-9999-9999", "x-status": 404}{{more}} }
        }
        """;

    public static ApiOperation List { get; } = new(
        static () => $$"""
        {
          "operationId": "getConnections", "tags": ["Clients"],
          "summary": "The connections: those of UA-TCP first, then those of HTTP.",
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
          "operationId": "getConnection", "tags": ["Clients"], "summary": "One connection.",
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

    public static ApiOperation Delete { get; } = new(
        static () => $$"""
        {
          "operationId": "endConnection", "tags": ["Clients"], "summary": "End a connection.",
          "description": "Its client gets BadSecureChannelClosed. Its sessions wait. Roles: Engineer, SecurityAdmin.",
          "parameters": [{{Id("")}}],
          "responses": {"204": {"description": "It is ended."} }
        }
        """,
        StatusCodes.BadUserAccessDenied)
    {
        OwnProblems = [Missing],
    };
}

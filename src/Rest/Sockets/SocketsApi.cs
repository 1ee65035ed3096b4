using Gateway.Admission.Stages;
using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Sockets;

/// <summary>The descriptions of the handshakes of WebSockets; OpenAPI has no words for their messages.</summary>
internal static class SocketsApi
{
    private static ApiProblem[] Problems { get; } =
    [
        new(426, "This path takes WebSockets only", StatusCodes.BadNotSupported),
        .. new[] { RefusalReason.MaxHttpWebSocketsPerAddress, RefusalReason.MaxHttpWebSockets }.Select(
            static reason => new ApiProblem(
                ReasonTable.HttpStatusOf(reason), "Too many WebSockets",
                ReasonTable.StatusOf(AdmissionStage.Http, reason))),
    ];

    public static ApiOperation Live { get; } = new(
        static () => Describe(
            "openWebSocket", "Stream", "Watch and write values over a WebSocket.",
            "The messages are in docs/websockets.md. The login may also be a sub-protocol or the first message.",
            SocketProtocols.Live),
        StatusCodes.BadUserAccessDenied, StatusCodes.BadShutdown)
    {
        OwnProblems = Problems,
    };

    public static ApiOperation OpcUa { get; } = new(
        static () => Describe(
            "openOpcUaWebSocket", "WebSocket", "Open a WebSocket of OPC UA (Part 6 §7.5).",
            "The sub-protocol says what it carries: opcua+uacp, opcua+openapi or opcua+uajson.", "opcua+uacp"),
        StatusCodes.BadNotSupported, StatusCodes.BadUserAccessDenied, StatusCodes.BadShutdown)
    {
        Path = "/",
        OwnProblems = Problems,
    };

    private static string Describe(string id, string tag, string summary, string description, string protocol) =>
        $$"""
        {
          "operationId": "{{id}}", "tags": ["{{tag}}"], "summary": "{{summary}}", "description": "{{description}}",
          "security": [],
          "parameters": [
            {
              "name": "Sec-WebSocket-Protocol", "in": "header", "schema": {"type": "string"},
              "description": "What the client speaks, the best first.",
              "examples": {"withoutUpgrade": {"value": "{{protocol}}", "x-status": 426} }
            }
          ],
          "responses": {"101": {"description": "The connection is a WebSocket now."} }
        }
        """;
}

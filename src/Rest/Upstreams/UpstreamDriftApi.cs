using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Upstreams;

/// <summary>The description of accepting a changed model.</summary>
internal static class UpstreamDriftApi
{
    public static ApiProblem Unknown { get; } = new(404, "No upstream has that name", StatusCodes.BadNotFound);

    public static ApiProblem TooEarly { get; } = new(
        409, "The upstream was not browsed whole since the gateway started", StatusCodes.BadInvalidState);

    public static ApiOperation Post { get; } = new(
        """
        {
          "operationId": "acceptDrift", "tags": ["Gateway"],
          "summary": "Accept the changed model of an upstream.",
          "description": "Its alarm ends. Old ids that are served on stay. Role: Engineer.",
          "parameters": [
            {
              "name": "name", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1},
              "description": "As configured.",
              "examples": {"unknown": {"value": "Nowhere", "x-status": 404} }
            }
          ],
          "responses": {"204": {"description": "It is accepted, or was not changed."} }
        }
        """,
        StatusCodes.BadUserAccessDenied)
    {
        OwnProblems = [Unknown, TooEarly],
    };
}

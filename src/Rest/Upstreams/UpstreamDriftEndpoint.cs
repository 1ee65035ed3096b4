using Gateway.Codec.Text;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Management;
using Gateway.Rest.Routing;
using Gateway.Server.Audit;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Upstreams;

/// <summary><c>POST /upstreams/{name}/drift/accept</c>. Thread-safe.</summary>
internal sealed class UpstreamDriftEndpoint(
    IUpstreamDrift drift, OperationAudit audit, ManagementRequests requests)
{
    private const string AcceptLater =
        "Its present model is not known. Accept it when the upstream is online and its browse was not cut short";

    public IEnumerable<RestRoute> Routes =>
        [new("POST", "/upstreams/{name}/drift/accept", PostAsync) { Operations = [UpstreamDriftApi.Post] }];

    private Task PostAsync(HttpContext context) => requests.RunAsync(
        context, GatewayPermission.ManageConfiguration, async caller =>
        {
            var name = (string?)context.Request.RouteValues["name"] ?? "";
            // It writes a file. Not cut off by a client that goes: the change and its audit line belong together.
            var problem = await Task.Run(() =>
            {
                var refused = drift.Accept(name) switch
                {
                    DriftAnswer.Unknown => UpstreamDriftApi.Unknown,
                    DriftAnswer.TooEarly => UpstreamDriftApi.TooEarly,
                    _ => null,
                };
                audit.Managed(
                    AuditEvent.DriftAccepted, caller, refused?.Status ?? StatusCodes.Good,
                    $"upstream \"{PeerText.Escape(name)}\"");
                return refused;
            }).ConfigureAwait(false);
            if (problem is null)
                context.Response.StatusCode = Microsoft.AspNetCore.Http.StatusCodes.Status204NoContent;
            else
                await Problem.WriteAsync(context, problem.Http, problem.Title, problem.Status,
                    ReferenceEquals(problem, UpstreamDriftApi.TooEarly) ? AcceptLater : null).ConfigureAwait(false);
        });
}

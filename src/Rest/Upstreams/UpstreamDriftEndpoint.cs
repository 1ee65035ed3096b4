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
    public IEnumerable<RestRoute> Routes =>
        [new("POST", "/upstreams/{name}/drift/accept", PostAsync) { Operations = [UpstreamDriftApi.Post] }];

    private Task PostAsync(HttpContext context) => requests.RunAsync(
        context, GatewayPermission.ManageConfiguration, async caller =>
        {
            var name = (string?)context.Request.RouteValues["name"] ?? "";
            // It writes a file. Not cut off by a client that goes: the change and its audit line belong together.
            var isKnown = await Task.Run(() =>
            {
                var accepted = drift.Accept(name);
                audit.Managed(
                    AuditEvent.DriftAccepted, caller, accepted ? StatusCodes.Good : StatusCodes.BadNotFound,
                    $"upstream \"{PeerText.Escape(name)}\"");
                return accepted;
            }).ConfigureAwait(false);
            if (isKnown)
                context.Response.StatusCode = Microsoft.AspNetCore.Http.StatusCodes.Status204NoContent;
            else
                await Problem.WriteAsync(
                    context, Microsoft.AspNetCore.Http.StatusCodes.Status404NotFound, UpstreamDriftApi.Unknown.Title,
                    StatusCodes.BadNotFound).ConfigureAwait(false);
        });
}

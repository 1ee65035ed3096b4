using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Routing;
using Gateway.Transport.Security;
using Microsoft.AspNetCore.Http;
using HttpStatus = Microsoft.AspNetCore.Http.StatusCodes;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Services;

/// <summary><c>POST /opcua/&lt;service&gt;</c>: the standard's own mapping of services to HTTP. Thread-safe. Source:
/// Part 6 §G.3, §7.4.</summary>
internal sealed class ServiceEndpoint(ServiceCalls calls, BodyReader bodies, RestRequests requests)
{
    /// <summary>Below <c>/opcua</c>.</summary>
    public IEnumerable<RestRoute> Routes => ServiceRoutes.All.Select(
        route => new RestRoute("POST", "/" + route.Path, context => RunAsync(context, route))
        {
            Operations = [ServiceApi.Of(route)],
        });

    /// <summary>Below <c>/opcua-openapi</c>: the same for clients made from the OPC Foundation's OpenAPI document. They
    /// would not see the status of a DataValue by its name in Part 6.</summary>
    public IEnumerable<RestRoute> OpenApiRoutes => ServiceRoutes.All.Select(
        route => new RestRoute("POST", "/" + route.Path, context =>
        {
            context.Features.Set(ServiceDialect.OpenApi);
            return RunAsync(context, route);
        }));

    private Task RunAsync(HttpContext context, ServiceRoute route) => requests.ContainAsync(
        context, () => HandleAsync(context, route),
        status => FaultAsync(context, JsonEncoding.Compact, status, problem: null));

    private async Task HandleAsync(HttpContext context, ServiceRoute route)
    {
        var asked = EncodingChoice.OfRequest(context.Request);
        if (asked is null)
        {
            await FaultAsync(
                context, JsonEncoding.Compact, StatusCodes.BadDataEncodingUnsupported,
                "expected Content-Type: application/json; encoding=compact, verbose, reversible or nonreversible",
                HttpStatus.Status415UnsupportedMediaType).ConfigureAwait(false);
            return;
        }

        if (EncodingChoice.OfAnswer(context.Request, asked.Value) is not { } encoding)
        {
            await FaultAsync(
                context, JsonEncoding.Compact, StatusCodes.BadDataEncodingUnsupported,
                "expected Accept: application/json; encoding=compact, verbose, reversible or nonreversible",
                HttpStatus.Status406NotAcceptable).ConfigureAwait(false);
            return;
        }

        if (!IsPolicyNone(context.Request))
        {
            await FaultAsync(
                context, encoding, StatusCodes.BadSecurityPolicyRejected,
                "expected no header OPCUA-SecurityPolicy, or the policy None").ConfigureAwait(false);
            return;
        }

        using var message = calls.NewMessage();
        using var exchange = calls.Begin(context, encoding);
        if (await ReadAsync(context, exchange, route, message, encoding).ConfigureAwait(false) is not { } request)
            return;
        await calls.CallAsync(
            exchange, RestCaller.Of(context), route, request.Token, request.Handle, message, context.RequestAborted)
            .ConfigureAwait(false);
        await exchange.SendAsync(AnswerSender.Of(context)).ConfigureAwait(false);
    }

    /// <summary>The session's token and the request's handle: nothing else of it is left but its message, however long
    /// it waits. Null: it was answered.</summary>
    private async ValueTask<(NodeId Token, uint Handle)?> ReadAsync(
        HttpContext context, ServiceExchange exchange, ServiceRoute route, PooledBuffer message, JsonEncoding encoding)
    {
        if (await bodies.ReadAsync(context).ConfigureAwait(false) is not { } body)
            return null;
        var (header, status, problem) = (default(RequestHeader), StatusCode.Good, default(string));
        try
        {
            using var turn = await calls.BeginDecodeAsync(context, body.Buffer.Length, context.RequestAborted)
                .ConfigureAwait(false);
            status = calls.Read(
                route, body.WrittenSpan, message, calls.FormatOf(encoding), turn, out header, out problem);
        }
        finally
        {
            bodies.Return(body);
        }

        if (!status.IsBad)
            return (header.AuthenticationToken, header.RequestHandle);
        exchange.Fault(status, header.RequestHandle, problem);
        await exchange.SendAsync(AnswerSender.Of(context)).ConfigureAwait(false);
        return null;
    }

    private async Task FaultAsync(
        HttpContext context, JsonEncoding encoding, StatusCode status, string? problem, int http = 0)
    {
        using var exchange = calls.Begin(context, encoding);
        exchange.Fault(status, problem: problem, http: http);
        await exchange.SendAsync(AnswerSender.Of(context)).ConfigureAwait(false);
    }

    /// <summary>Signatures beside those of the transport are not offered. Source: Part 6 §7.4.1.</summary>
    private static bool IsPolicyNone(HttpRequest request) =>
        !request.Headers.TryGetValue("OPCUA-SecurityPolicy", out var policy) || policy == SecurityPolicies.None.Uri;
}

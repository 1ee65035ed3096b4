using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;
using HttpStatus = Microsoft.AspNetCore.Http.StatusCodes;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Services;

/// <summary><c>POST /opcua/&lt;service&gt;</c>: the standard's own mapping of services to HTTP. A request becomes the
/// message that UA-TCP would carry, and what the services answer becomes JSON; so every rule, limit and line of the
/// audit is theirs. Thread-safe. Source: Part 6 §G.3, §7.4.</summary>
internal sealed class ServiceEndpoint(ServiceCalls calls, BodyReader bodies)
{
    /// <summary>Below <c>/opcua</c>.</summary>
    public IEnumerable<RestRoute> Routes => ServiceRoutes.All.Select(
        route => new RestRoute("POST", "/" + route.Path, context => RunAsync(context, route))
        {
            Operations = [ServiceApi.Of(route)],
        });

    /// <summary>Below <c>/opcua-openapi</c>: the same for clients made from the OPC Foundation's OpenAPI document, which
    /// would not see the status of a DataValue by its name in Part 6.</summary>
    public IEnumerable<RestRoute> OpenApiRoutes => ServiceRoutes.All.Select(
        route => new RestRoute("POST", "/" + route.Path, context =>
        {
            context.Features.Set(ServiceDialect.OpenApi);
            return RunAsync(context, route);
        }));

    private Task RunAsync(HttpContext context, ServiceRoute route) => requests.ContainAsync(
        context, () => HandleAsync(context, route),
        () => FaultAsync(context, JsonEncoding.Compact, StatusCodes.BadInternalError, problem: null));

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
        using var message = calls.NewMessage();
        var status = calls.Read(
            route, body.WrittenSpan, message, calls.FormatOf(encoding), out var header, out var problem);
        bodies.Return(body);
        if (status.IsBad)
            await FaultAsync(context, encoding, status, problem).ConfigureAwait(false);
        else
            await CallAsync(context, route, header, message, encoding).ConfigureAwait(false);
    }

    /// <summary>A client that goes away ends what it asked for.</summary>
    private async Task CallAsync(
        HttpContext context, ServiceRoute route, RequestHeader header, PooledBuffer message, JsonEncoding encoding)
    {
        try
        {
            using var exchange = await calls.CallAsync(
                context, RestCaller.Of(context), route, header, message, encoding, ServiceForm.Bare,
                context.RequestAborted).ConfigureAwait(false);
            await exchange.SendAsync().ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (context.RequestAborted.IsCancellationRequested)
        {
            context.Abort();
        }
    }

    private async Task FaultAsync(
        HttpContext context, JsonEncoding encoding, StatusCode status, string? problem, int http = 0)
    {
        using var exchange = calls.Begin(context, encoding, ServiceForm.Bare);
        exchange.Fault(status, problem: problem, http: http);
        await exchange.SendAsync(AnswerSender.Of(context)).ConfigureAwait(false);
    }
}

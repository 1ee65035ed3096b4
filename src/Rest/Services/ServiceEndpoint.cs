using System.Net;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Routing;
using Gateway.Server;
using Gateway.Server.Messages;
using Gateway.Transport.Security;
using Microsoft.AspNetCore.Http;
using HttpStatus = Microsoft.AspNetCore.Http.StatusCodes;
using StatusCodes = Gateway.Codec.Types.StatusCodes;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Rest.Services;

/// <summary><c>POST /opcua/&lt;service&gt;</c>: the standard's own mapping of services to HTTP. A request becomes the
/// message that UA-TCP would carry, and the services' response becomes JSON. So every rule, limit and audit line of the
/// services applies. Thread-safe. Source: Part 6 §G.3, §7.4.</summary>
internal sealed class ServiceEndpoint(
    GatewayServer server, PublishLimits publishing, RestFormat formats, BodyReader bodies, TurnLane lane,
    TransportContext transport, RestRequests requests, RequestMemories memories)
{
    private readonly DecodingLimits _decoding = new()
    {
        MaxArrayLength = server.Limits.MaxArrayLength,
        MaxStringLengthBytes = server.Limits.MaxStringLengthBytes,
        MaxByteStringLengthBytes = server.Limits.MaxByteStringLengthBytes,
        MaxDecodedBytes = server.Limits.MaxDecodedBytesPerRequest,
    };

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
        }

        using var message = new PooledBuffer(limitBytes: server.Limits.MaxRequestMessageSizeBytes, secret: true);
        using var exchange = Begin(context, encoding);
        if (await FindAsync(context, exchange, route, message, encoding).ConfigureAwait(false) is not { } call)
            return;
        using var end = CallerTime.EndOf(RestCaller.Of(context), transport.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(end.Token, context.RequestAborted);
        try
        {
            using var answer = await call.Channel.CallAsync(message, exchange.HoldMessage, either.Token)
                .ConfigureAwait(false);
            exchange.HoldAnswer(answer.HeldBytes);
            await EncodeAsync(context, exchange, route, call.Handle, answer).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (
            end.IsCancellationRequested && !context.RequestAborted.IsCancellationRequested)
        {
            // A Publish that waits longer than its caller's token lives.
            exchange.Fault(
                StatusCodes.BadIdentityTokenRejected, call.Handle, CallerTime.OverSentence,
                HttpStatus.Status401Unauthorized);
        }

        await exchange.SendAsync(AnswerSender.Of(context)).ConfigureAwait(false);
    }

    /// <summary>The request's channel and its handle: nothing else of it is left but its message, however long it
    /// waits. Null: it was answered.</summary>
    private async ValueTask<(MessageChannel Channel, uint Handle)?> FindAsync(
        HttpContext context, ServiceExchange exchange, ServiceRoute route, PooledBuffer message, JsonEncoding encoding)
    {
        if (await bodies.ReadAsync(context).ConfigureAwait(false) is not { } body)
            return null;
        var (header, status, problem) = (default(RequestHeader), StatusCode.Good, default(string));
        try
        {
            var isLarge = body.Buffer.Length > memories.MaxImmediateBytes;
            using var place = await lane.EnterAsync(isLarge, context.RequestAborted).ConfigureAwait(false);
            using var memory = memories.Begin(context.Connection.RemoteIpAddress);
            status = Read(route, body, message, formats.Of(encoding), memory, out header, out problem);
        }
        finally
        {
            bodies.Return(body);
        }

        if (!status.IsBad)
            return (server.Messages.Find(header.AuthenticationToken, RestCaller.Of(context), RemoteOf(context)),
                header.RequestHandle);
        exchange.Fault(status, header.RequestHandle, problem);
        await exchange.SendAsync(AnswerSender.Of(context)).ConfigureAwait(false);
        return null;
    }

    private StatusCode Read(
        ServiceRoute route, RequestBody body, PooledBuffer message, JsonFormat format, RequestMemory memory,
        out RequestHeader header, out string? problem)
    {
        var reader = new UaJsonReader(body.WrittenSpan, format, _decoding, memory.Meter)
        {
            MaxOperations = route.MaxOperationsOf(server.Limits, publishing),
        };
        var writer = new UaBinaryWriter(message);
        header = route.Read(ref reader, ref writer);
        problem = reader.Problem;
        if (reader.Failed)
            return reader.Status;
        if (writer.Failed)
            return StatusCodes.BadRequestTooLarge;
        writer.Complete();
        return StatusCodes.Good;
    }

    /// <summary>Large ones behind the other requests that are larger than a turn (R44).</summary>
    private async ValueTask EncodeAsync(
        HttpContext context, ServiceExchange exchange, ServiceRoute route, uint handle, MessageAnswer answer)
    {
        if (answer.Status.IsBad)
        {
            exchange.Fault(answer.Status, handle);
            return;
        }

        var isLarge = answer.Message.Length > server.Limits.MaxImmediateResponseBytes;
        using var place = await lane.EnterAsync(isLarge, context.RequestAborted).ConfigureAwait(false);
        exchange.Answer(route, handle, answer.Message);
    }

    private async Task FaultAsync(
        HttpContext context, JsonEncoding encoding, StatusCode status, string? problem, int http = 0)
    {
        using var exchange = Begin(context, encoding);
        exchange.Fault(status, problem: problem, http: http);
        await exchange.SendAsync(AnswerSender.Of(context)).ConfigureAwait(false);
    }

    private ServiceExchange Begin(HttpContext context, JsonEncoding encoding) =>
        new(context, FormatOf(context, encoding), transport.Budget, transport.Time);

    private JsonFormat FormatOf(HttpContext context, JsonEncoding encoding) =>
        formats.Of(encoding, byOpenApi: context.Features.Get<ServiceDialect>() is not null);

    /// <summary>Signatures beside those of the transport are not offered. Source: Part 6 §7.4.1.</summary>
    private static bool IsPolicyNone(HttpRequest request) =>
        !request.Headers.TryGetValue("OPCUA-SecurityPolicy", out var policy) || policy == SecurityPolicies.None.Uri;

    private static IPEndPoint? RemoteOf(HttpContext context) =>
        context.Connection.RemoteIpAddress is { } address
            ? new IPEndPoint(address, context.Connection.RemotePort)
            : null;
}

using Gateway.Admission.Door;
using Gateway.Codec.Json;
using Gateway.Operations.Access;
using Gateway.Rest.Access;
using Gateway.Rest.Services;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Sockets;

/// <summary>Services as JSON over a WebSocket, many at a time: the RequestHandle says which answer is whose. Sessions
/// are those of HTTP: they outlive the WebSocket. Owner: the request. Source: Part 6 §7.5.2, §G.3.</summary>
internal sealed class ServiceConversation(
    HttpContext context, SocketConnection connection, ServiceCalls calls, SocketBook book, HttpDoor door,
    RestLimits limits, TimeProvider time, bool isOpenApi)
    : IDisposable
{
    /// <summary>As many as one session may have under way, and some to say so.</summary>
    private const int MaxUnderWay = 256;
    private const int SmallBytes = 1024;

    private readonly SemaphoreSlim _places = new(MaxUnderWay);
    private readonly CancellationTokenSource _left = new();
    private readonly Caller _caller = RestCaller.Of(context);

    /// <summary>Null behind a test's server.</summary>
    private readonly HttpPlace? _place = context.Features.Get<HttpPlace>();
    private SocketRefusals _refusals;

    public async Task RunAsync()
    {
        connection.Caller = _caller;
        using var gone = connection.Gone.UnsafeRegister(
            static left => ((CancellationTokenSource)left!).Cancel(), _left);
        try
        {
            while (await connection.ReceiveAsync().ConfigureAwait(false) is var input and not SocketInput.End)
            {
                book.Counters.OnMessage();
                if (input == SocketInput.Binary)
                {
                    await connection.EndAsync(SocketEnd.WrongKind).ConfigureAwait(false);
                    return;
                }

                if (_place is not null && !door.Ask(_place).IsAdmitted)
                {
                    await RefuseAsync().ConfigureAwait(false);
                    connection.Forget();
                    continue;
                }

                // A client that has that many under way is not heard until one is answered.
                await _places.WaitAsync(connection.Gone).ConfigureAwait(false);
                connection.BeginAnswer();
                _ = ServeAsync(await ReadAsync().ConfigureAwait(false));
                connection.Forget();
            }
        }
        finally
        {
            await EndAsync().ConfigureAwait(false);
        }
    }

    public void Dispose()
    {
        _places.Dispose();
        _left.Dispose();
    }

    /// <summary>Ends the requests that are under way: nobody waits for them.</summary>
    private async Task EndAsync()
    {
        await _left.CancelAsync().ConfigureAwait(false);
        for (var i = 0; i < MaxUnderWay; i++)
            await _places.WaitAsync().ConfigureAwait(false);
    }

    /// <summary>Above the rate of its address, before it is decoded: only a small one is read for its handle. A flood
    /// is cut off.</summary>
    private async ValueTask RefuseAsync()
    {
        book.Counters.OnRateRefused();
        if (_refusals.IsFlood(limits.MaxHttpWebSocketOpsPerSecond, time))
        {
            await connection.EndAsync(SocketEnd.OpRate).ConfigureAwait(false);
            return;
        }

        using var exchange = calls.Begin(
            context, JsonEncoding.Compact, isOpenApi ? ServiceForm.Envelope : ServiceForm.Message);
        var message = connection.Message;
        exchange.Fault(
            StatusCodes.BadTcpServerTooBusy, message.Length <= SmallBytes ? RequestHandles.Of(message.Span) : 0);
        await connection.SendAsync(exchange.Text).ConfigureAwait(false);
    }

    private async ValueTask<ServiceRequest> ReadAsync()
    {
        var message = calls.NewMessage();
        try
        {
            using var turn = await calls.BeginDecodeAsync(context, connection.Message.Length, _left.Token)
                .ConfigureAwait(false);
            return isOpenApi
                ? ServiceRequest.ReadEnvelope(calls, connection.Message.Span, message, turn)
                : ServiceRequest.ReadMessage(calls, connection.Message.Span, message, turn);
        }
        catch
        {
            message.Dispose();
            connection.EndAnswer();
            _places.Release();
            throw;
        }
    }

    private async Task ServeAsync(ServiceRequest request)
    {
        try
        {
            using var message = request.Message;
            using var exchange = calls.Begin(context, request.Encoding, request.Form);
            await ContainAsync(request, exchange).ConfigureAwait(false);
            await connection.SendAsync(exchange.Text).ConfigureAwait(false);
        }
        catch (Exception error) when (SocketFaults.IsOfPeer(error))
        {
            // The receiver learns of it, too.
        }
#pragma warning disable CA1031 // A fault of ours is of this connection alone.
        catch (Exception error)
#pragma warning restore CA1031
        {
            book.Report(error);
            _ = connection.EndAsync(SocketEnd.Failed);
        }
        finally
        {
            connection.EndAnswer();
            _places.Release();
        }
    }

    /// <summary>A fault of ours is of this request alone (R40).</summary>
    private async ValueTask ContainAsync(ServiceRequest request, ServiceExchange exchange)
    {
        try
        {
            await AnswerAsync(request, exchange).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // The other requests of the WebSocket go on.
        catch (Exception error) when (!SocketFaults.IsOfPeer(error))
#pragma warning restore CA1031
        {
            exchange.Fault(book.Answer(error), request.Handle);
        }
    }

    private Task AnswerAsync(ServiceRequest request, ServiceExchange exchange)
    {
        if (!request.Status.IsBad)
            return calls.CallAsync(
                exchange, request.Locales is null ? _caller : RestCaller.Of(context, request.Locales), request.Route!,
                request.Token, request.Handle, request.Message, _left.Token);
        exchange.Fault(request.Status, request.Handle, request.Problem);
        return Task.CompletedTask;
    }
}

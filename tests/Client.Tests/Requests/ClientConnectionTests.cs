using Gateway.Client.Requests;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Client.Tests.Requests;

public sealed class ClientConnectionTests : IDisposable
{
    private readonly FakeServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public async Task InvokeAsync_Answered_ResponseReturnedAndHeaderFilledIn()
    {
        _server.Connection.AuthenticationToken = new NodeId(77, 1);
        var answer = Read();
        var sent = _server.Request<ReadRequest>(0);
        Assert.Equal(new NodeId(77, 1), sent.RequestHeader.AuthenticationToken);
        Assert.Equal(10_000u, sent.RequestHeader.TimeoutHint);
        Assert.NotEqual(default, sent.RequestHeader.Timestamp);
        Assert.Equal(1, _server.Link.Flushes);
        _server.Answer(0, new ReadResponse { Results = [new DataValue(new Variant(42))] });
        Assert.Equal(42, (await answer).Results![0].Value.AsInt32());
    }

    [Fact]
    public async Task OnDue_ARequestWhoseFailureThrows_TheOthersStillTimeOut()
    {
        _server.Connection.Start(
            new BrokenRequest { RequestId = _server.Connection.NextRequestId() }, new ReadRequest(),
            TimeSpan.FromSeconds(1));
        _server.Connection.Start(
            new BrokenRequest { RequestId = _server.Connection.NextRequestId() }, new ReadRequest(),
            TimeSpan.FromSeconds(1));
        var soon = _server.Connection.InvokeAsync<ReadRequest, ReadResponse>(
            new ReadRequest(), TimeSpan.FromSeconds(1), CancellationToken.None);
        var later = _server.Connection.InvokeAsync<ReadRequest, ReadResponse>(
            new ReadRequest(), TimeSpan.FromSeconds(2), CancellationToken.None);

        _server.Time.Advance(1200);
        Assert.Equal(StatusCodes.BadTimeout, await StatusOf(soon));
        Assert.NotEmpty(_server.Faults);
        Assert.False(later.IsCompleted);
        _server.Time.Advance(1200);
        Assert.Equal(StatusCodes.BadTimeout, await StatusOf(later));
    }

    [Fact]
    public async Task OnClosed_ARequestWhoseFailureThrows_TheOthersAndTheSessionStillHearOfIt()
    {
        _server.Connection.Start(
            new BrokenRequest { RequestId = _server.Connection.NextRequestId() }, new ReadRequest(),
            TimeSpan.FromSeconds(1));
        var other = Read();

        Assert.Throws<InvalidOperationException>(() => _server.Disconnect(StatusCodes.BadConnectionClosed));

        Assert.Equal(StatusCodes.BadConnectionClosed, await StatusOf(other));
        Assert.False(_server.Session.IsOpen);
    }

    /// <summary>Else its caller would wait for ever.</summary>
    [Fact]
    public async Task OnMessage_TheAnswerCannotBeTaken_TheCallerIsTold()
    {
        var answer = _server.Connection.InvokeAsync<ReadRequest, ReadResponse>(
            new ReadRequest(), TimeSpan.FromSeconds(10), CancellationToken.None,
            static _ => throw new InvalidOperationException("no room"));

        Assert.Throws<InvalidOperationException>(() => _server.Answer(0, new ReadResponse()));

        Assert.True(answer.IsCompleted);
        Assert.Equal(StatusCodes.BadDecodingError, await StatusOf(answer));
    }

    [Fact]
    public void OnDue_ThePeerIsSilent_EndedByTheProbeAndOutOfTheWheel()
    {
        _server.Session.StartKeepAlive();

        for (var second = 0; second < 120 && _server.Connection.IsOpen; second++)
            _server.Time.Advance(1000);

        Assert.False(_server.Connection.IsOpen);
        _server.Time.Advance(120_000);
        Assert.False(_server.Connection.IsScheduled);
    }

    [Fact]
    public async Task InvokeAsync_AnsweredOutOfOrder_EachGetsItsOwn()
    {
        var first = Read();
        var second = Read();
        _server.Answer(1, new ReadResponse { Results = [new DataValue(new Variant(2))] });
        _server.Answer(0, new ReadResponse { Results = [new DataValue(new Variant(1))] });
        Assert.Equal(1, (await first).Results![0].Value.AsInt32());
        Assert.Equal(2, (await second).Results![0].Value.AsInt32());
    }

    [Fact]
    public async Task InvokeAsync_ServiceFault_ThrowsItsStatus()
    {
        var answer = Read();
        _server.Fault(0, StatusCodes.BadTooManyOperations);
        Assert.Equal(StatusCodes.BadTooManyOperations, await StatusOf(answer));
    }

    [Fact]
    public async Task InvokeAsync_BadServiceResult_ThrowsIt()
    {
        var answer = Read();
        _server.Answer(0, new ReadResponse
        {
            ResponseHeader = new ResponseHeader { ServiceResult = StatusCodes.BadSessionIdInvalid },
        });
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await StatusOf(answer));
    }

    [Fact]
    public async Task InvokeAsync_OtherResponseType_BadUnknownResponse()
    {
        var answer = Read();
        _server.Answer(0, new WriteResponse());
        Assert.True((await StatusOf(answer)).Code is StatusCodes.BadUnknownResponse or StatusCodes.BadDecodingError);
    }

    [Fact]
    public async Task InvokeAsync_ResponseCutAtEachByte_TypedErrorNeverAnother()
    {
        var whole = FakeServer.Encode(new ReadResponse { Results = [new DataValue(new Variant("text"))] });
        for (var length = 0; length < whole.Length; length++)
        {
            var answer = Read();
            _server.DeliverBytes(_server.Link.Sent[^1].RequestId, whole[..length]);
            Assert.Equal(StatusCodes.BadDecodingError, await StatusOf(answer));
        }
    }

    [Fact]
    public async Task InvokeAsync_NoAnswerInTime_BadTimeoutAndLateAnswerIgnored()
    {
        var answer = Read();
        _server.Time.Advance(TimeSpan.FromSeconds(9.9));
        Assert.False(answer.IsCompleted);
        _server.Time.Advance(TimeSpan.FromSeconds(0.3));
        Assert.Equal(StatusCodes.BadTimeout, await StatusOf(answer));
        _server.Answer(0, new ReadResponse());
        var next = Read();
        _server.Answer(1, new ReadResponse { Results = [new DataValue(new Variant(3))] });
        Assert.Equal(3, (await next).Results![0].Value.AsInt32());
    }

    /// <summary>Its word is no cancellation of ours: loops end by that for good.</summary>
    [Fact]
    public async Task OnClosed_ServerSaysCancelled_RequestFails()
    {
        using var stop = new CancellationTokenSource();
        var answer = Read(stop.Token);
        _server.Disconnect(StatusCodes.BadRequestCancelledByClient);
        Assert.Equal(StatusCodes.BadRequestCancelledByClient, await StatusOf(answer));
    }

    [Fact]
    public async Task InvokeAsync_Cancelled_ThrowsAndForgetsTheRequest()
    {
        using var stop = new CancellationTokenSource();
        var answer = Read(stop.Token);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await answer);
        _server.Answer(0, new ReadResponse());
    }

    [Fact]
    public async Task InvokeAsync_ConnectionCloses_AllFailAndLaterOnesAtOnce()
    {
        var first = Read();
        var second = Read();
        _server.Disconnect(StatusCodes.BadSecureChannelClosed);
        Assert.Equal(StatusCodes.BadSecureChannelClosed, await StatusOf(first));
        Assert.Equal(StatusCodes.BadSecureChannelClosed, await StatusOf(second));
        Assert.Equal(StatusCodes.BadSecureChannelClosed, await StatusOf(Read()));
        Assert.Equal(StatusCodes.BadSecureChannelClosed, await _server.Session.Closed);
    }

    [Fact]
    public async Task InvokeAsync_TooLargeToSend_FailsWithTheChannelsStatus()
    {
        _server.Link.Refusal = StatusCodes.BadRequestTooLarge;
        Assert.Equal(StatusCodes.BadRequestTooLarge, await StatusOf(Read()));
    }

    [Fact]
    public void KeepAlive_SessionSilent_AsksAndWithoutAnswerGivesUp()
    {
        _server.Session.StartKeepAlive();
        _server.Time.Advance(TimeSpan.FromSeconds(10.3));
        var probe = _server.Request<ReadRequest>(0);
        Assert.Equal(new NodeId(2259), probe.NodesToRead![0].NodeId);
        _server.Answer(0, new ReadResponse { Results = [new DataValue(new Variant(0))] });
        _server.Time.Advance(TimeSpan.FromSeconds(10.3));
        Assert.Equal(2, _server.Link.Sent.Count);
        _server.Time.Advance(TimeSpan.FromSeconds(10.3));
        Assert.Equal(StatusCodes.BadConnectionClosed, _server.Link.AbortReason);
        Assert.False(_server.Session.IsOpen);
    }

    private ValueTask<ReadResponse> Read(CancellationToken cancellation = default) =>
        _server.Session.InvokeAsync<ReadRequest, ReadResponse>(
            new ReadRequest { NodesToRead = [new ReadValueId { NodeId = new NodeId(1), AttributeId = 13 }] },
            cancellation);

    private static async Task<StatusCode> StatusOf(ValueTask<ReadResponse> answer) =>
        (await Assert.ThrowsAsync<ServiceException>(async () => await answer)).Status;

    private sealed class BrokenRequest : PendingRequest
    {
        public override void Complete(ReadOnlySpan<byte> message) =>
            throw new InvalidOperationException("Never answered.");

        public override void Fail(StatusCode status, string detail) => throw new InvalidOperationException("Broken.");
    }
}

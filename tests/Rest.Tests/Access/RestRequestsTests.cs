using System.Net;
using System.Text;
using Gateway.Admission;
using Gateway.Codec.Binary;
using Gateway.Operations;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Server;
using Gateway.Testing;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging.Abstractions;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Tests.Access;

/// <summary>Requests with a body: what they hold, and what they wait for.</summary>
public sealed class RestRequestsTests
{
    private const int LargeBytes = 40 * 1024;

    private static readonly OperationLimits Operations = new()
    {
        MaxReferencesPerNode = 1_000,
        MaxReferencesPerCall = 50_000,
        MaxBrowseContinuationPoints = 10,
        MaxNodesPerBrowsePath = 10_000,
        MaxWorkPerTurn = 20_000,
        MaxWorkPerRequest = 2_000_000,
        MaxAnswerBytesPerRequest = 32 * 1024 * 1024,
    };

    private readonly RestLimits _limits = new();
    private readonly ServerLimits _server = new();
    private readonly DecodeBudget _decoding = new(8 * 1024 * 1024);
    private readonly TurnLane _lane = new(TimeProvider.System);
    private readonly BodyReader _bodies;
    private readonly AnswerSender _answers;
    private readonly RestRequests _requests;

    public RestRequestsTests()
    {
        _bodies = new BodyReader(_limits, TimeProvider.System);
        _answers = new AnswerSender(_limits, new TransportLimits(), TimeProvider.System);
        _requests = RequestsOf(_lane);
    }

    /// <summary>R44: decoding of much text does not take the machine from others.</summary>
    [Fact]
    public async Task Run_LargeBodyWhileTheLaneIsFull_WaitsAndASmallOneDoesNot()
    {
        var places = Math.Max(1, Environment.ProcessorCount / 2);
        for (var i = 0; i < places; i++)
            await _lane.EnterAsync("other", CancellationToken.None);
        var hasBegun = false;

        var large = _requests.RunAsync(ContextOf(LargeBytes), (_, _) =>
        {
            hasBegun = true;
            return Task.CompletedTask;
        });
        await _requests.RunAsync(ContextOf(1024), static (_, _) => Task.CompletedTask).WaitAsync(Patience.Limit);

        Assert.False(large.IsCompleted || hasBegun);
        Assert.InRange(_bodies.HeldBytes, LargeBytes, long.MaxValue);
        for (var i = 0; i < places; i++)
            _lane.Leave();
        await large.WaitAsync(Patience.Limit);
        Assert.True(hasBegun);
    }

    /// <summary>R37: a fault of ours costs one request, not the place of its body for ever.</summary>
    [Theory]
    [InlineData(1024)]
    [InlineData(LargeBytes)]
    public async Task Run_WorkThatFails_GivesBodyMemoryAndPlaceBack(int bytes)
    {
        var held = 0L;
        var context = ContextOf(bytes);

        await _requests.RunAsync(context, (request, _) =>
        {
            held = _bodies.HeldBytes;
            Assert.True(request.Memory.TryHold(1024 * 1024));
            Assert.True(request.Memory.HoldAnswers()(100_000));
            throw new InvalidOperationException("a fault");
        });

        Assert.InRange(held, bytes, long.MaxValue);
        Assert.Equal(500, context.Response.StatusCode);
        Assert.Equal((0, 0, 0), (_bodies.HeldBytes, _decoding.Bytes, _answers.HeldBytes));
        for (var i = 0; i < Math.Max(1, Environment.ProcessorCount / 2); i++)
            await _lane.EnterAsync("other", CancellationToken.None).AsTask().WaitAsync(Patience.Limit);
    }

    /// <summary>R40: a large array without room is no fault of the gateway, and another try may succeed.</summary>
    [Fact]
    public async Task Run_NoMemoryForALargeArray_AnswersThatAndNotAFault()
    {
        var (plain, withBody) = (ContextOf(0), ContextOf(1024));

        await _requests.RunAsync(plain, static _ => throw new InsufficientMemoryException());
        await _requests.RunAsync(withBody, static (_, _) => throw new InsufficientMemoryException());
        var ofSocket = await _requests.RunAsync(
            RestCaller.Of(plain), address: null, static _ => throw new InsufficientMemoryException(), default);

        Assert.Equal((503, 503), (plain.Response.StatusCode, withBody.Response.StatusCode));
        Assert.Equal(StatusCodes.BadOutOfMemory, ofSocket);
    }

    /// <summary>Of one request, and of all together.</summary>
    [Fact]
    public async Task Hold_AboveTheBudgets_Refused()
    {
        var (all, one, other) = (true, true, false);

        await _requests.RunAsync(ContextOf(1), (request, _) =>
        {
            all = request.Memory.TryHold(9 * 1024 * 1024);
            return Task.CompletedTask;
        });
        await _requests.RunAsync(ContextOf(1), (request, _) =>
        {
            other = request.Memory.TryHold(1024 * 1024);
            one = request.Memory.TryHold(_server.MaxDecodedBytesPerRequest);
            return Task.CompletedTask;
        });

        Assert.Equal((false, true, false), (all, other, one));
        Assert.Equal(0, _decoding.Bytes);
    }

    /// <summary>The deadline is made when the work first waits, and counts from the request's start.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Run_WorkThatWaitsBeyondTheTime_504(bool isOverBefore)
    {
        var time = new ManualTimeProvider();
        var context = ContextOf(0);
        var isOver = false;

        await RequestsOf(new TurnLane(time)).RunAsync(context, request =>
        {
            time.Advance(isOverBefore ? _limits.HttpRequestTimeout : TimeSpan.FromSeconds(1));
            var token = request.CancellationToken;
            isOver = token.IsCancellationRequested;
            time.Advance(_limits.HttpRequestTimeout - TimeSpan.FromSeconds(1));
            token.ThrowIfCancellationRequested();
            return Task.CompletedTask;
        });

        Assert.Equal((isOverBefore, 504), (isOver, context.Response.StatusCode));
    }

    private RestRequests RequestsOf(TurnLane lane) => new(
        _limits, Operations, lane, _answers, _bodies,
        new RequestMemories(
            _decoding, _answers,
            new AdmissionControl(new AdmissionLimits(), TimeProvider.System, isEnabled: true, 100), _server),
        NullLogger<RestRequests>.Instance);

    private static DefaultHttpContext ContextOf(int bytes)
    {
        var context = new DefaultHttpContext();
        context.Connection.RemoteIpAddress = IPAddress.Loopback;
        context.Request.ContentType = "application/json";
        context.Request.Body = new MemoryStream(Encoding.ASCII.GetBytes(new string(' ', bytes)));
        context.Response.Body = new MemoryStream();
        return context;
    }
}

using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Services;

/// <summary>What the answers of sources to one request may hold, when the request names many of them.</summary>
public sealed class AnswerAllowanceTests : IDisposable
{
    private const int Size = 10_000;
    private readonly ServerFixture _fixture = new(
        options => options with
        {
            Limits = options.Limits with { MaxDecodedBytesPerRequest = (3 * Size) + 2_000 },
        });

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task Read_ManyRangesOfOneValue_HeldUpToTheAllowance()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Value = new DataValue(Variant.FromByteString(new byte[Size]));
        var reads = new ReadValueId[10];
        Array.Fill(reads, new ReadValueId
        {
            NodeId = TestPlant.Slow,
            AttributeId = (uint)AttributeId.Value,
            IndexRange = $"0:{Size - 1}",
        });

        var response = await client.CallAsync<ReadResponse>(new ReadRequest { NodesToRead = reads });

        Assert.All(response.Results![..3], result => Assert.Equal(Size, result.Value.AsByteString()!.Length));
        Assert.All(response.Results[3..], result => Assert.Equal(StatusCodes.BadResponseTooLarge, result.Status));
    }

    [Fact]
    public async Task Call_OutputsAboveTheAllowance_DroppedAndTheRestNotBegun()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Output = Variant.FromByteString(new byte[Size]);
        var calls = new CallMethodRequest[6];
        Array.Fill(calls, new CallMethodRequest
        {
            ObjectId = TestPlant.Methods,
            MethodId = TestPlant.Add,
            InputArguments = [new Variant(1), new Variant(2)],
        });

        var response = await client.CallAsync<CallResponse>(new CallRequest { MethodsToCall = calls });

        Assert.Equal(
            [
                StatusCodes.Good, StatusCodes.Good, StatusCodes.Good, StatusCodes.BadResponseTooLarge,
                StatusCodes.BadResourceUnavailable, StatusCodes.BadResourceUnavailable,
            ],
            response.Results!.Select(result => result.StatusCode.Code));
        Assert.Equal(4, _fixture.Source.Calls.Count);
    }
}

using Gateway.Admission.Caps;

namespace Gateway.Admission.Tests.Caps;

public sealed class FairCapTests
{
    /// <summary>The defaults: sessions, connections, subscriptions, items, queue entries.</summary>
    [Theory]
    [InlineData(12_000, 10_000)]
    [InlineData(13_000, 10_834)]
    [InlineData(24_000, 20_000)]
    [InlineData(5_000_000, 4_166_667)]
    [InlineData(20_000_000, 16_666_667)]
    [InlineData(6, 5)]
    [InlineData(5, 5)]
    [InlineData(1, 1)]
    public void Judge_OneAsksForAll_GetsFiveSixthsAndNoMore(long limit, long most)
    {
        var cap = new FairCap(limit);
        Assert.Equal(most, cap.Open);
        Assert.Equal(CapVerdict.Granted, cap.Judge(most, most - 1));
        Assert.Equal(most < limit ? CapVerdict.Reserved : CapVerdict.Full, cap.Judge(most + 1, most));
    }

    [Theory]
    [InlineData(0, 12_000, CapVerdict.Granted)]
    [InlineData(0, 12_001, CapVerdict.Full)]
    [InlineData(2_000, 12_000, CapVerdict.Granted)]
    [InlineData(2_001, 10_000, CapVerdict.Granted)]
    [InlineData(2_001, 10_001, CapVerdict.Reserved)]
    [InlineData(2_001, 12_001, CapVerdict.Reserved)]
    public void Judge_InTheLastSixth_DependsOnWhatIsHeld(long held, long used, CapVerdict verdict) =>
        Assert.Equal(verdict, new FairCap(12_000).Judge(used, held));
}

using Gateway.Operations.Access;

namespace Gateway.Operations.Tests;

/// <summary>What is kept of a client's locales (R04).</summary>
public sealed class LocaleListTests
{
    [Fact]
    public void Of_LongEmptyAndTooMany_OnlyUsableOnesInTheirOrder()
    {
        string?[] given =
            [null, "", new string('x', 1_000_000), "de", .. Enumerable.Range(0, 100).Select(i => "x-" + i)];

        var kept = LocaleList.Of(given);

        Assert.Equal(16, kept.Length);
        Assert.Equal(["de", "x-0", "x-1"], kept[..3]);
    }
}

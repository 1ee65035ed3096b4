using Gateway.Admission.Clients;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Clients;

public class KnownCertificatesTests
{
    private static readonly DateOnly Day = new(2026, 3, 1);

    private static string Thumbprint(int i) => i.ToString("X40", System.Globalization.CultureInfo.InvariantCulture);

    [Fact]
    public void MarkActive_MoreThanTheLimit_NotSeenForTheLongestForgotten()
    {
        var known = new KnownCertificates(3);
        for (var i = 0; i < 3; i++)
            known.MarkActive(Thumbprint(i), Day);
        known.MarkActive(Thumbprint(0), Day.AddDays(1));

        known.MarkActive(Thumbprint(3), Day.AddDays(1));

        Assert.Equal(3, known.Count);
        Assert.True(known.IsKnown(Thumbprint(0)));
        Assert.False(known.IsKnown(Thumbprint(1)));
    }

    /// <summary>A clock that ran ahead must not leave its clients behind those that never come again (R28).</summary>
    [Fact]
    public void MarkActive_WallClockJumpedTenYearsBack_SeenAgainIsNotForgotten()
    {
        var known = new KnownCertificates(2);
        known.MarkActive(Thumbprint(0), Day.AddYears(10));
        known.MarkActive(Thumbprint(1), Day.AddYears(10));

        known.MarkActive(Thumbprint(0), Day);
        known.MarkActive(Thumbprint(2), Day);

        Assert.True(known.IsKnown(Thumbprint(0)));
        Assert.False(known.IsKnown(Thumbprint(1)));
    }

    [Fact]
    public async Task SaveAsync_Loaded_TheSameInTheSameOrder()
    {
        var known = new KnownCertificates(100);
        for (var i = 0; i < 50; i++)
            known.MarkActive(Thumbprint(i), Day.AddDays(i / 10));
        Assert.True(known.IsChanged);
        var first = new StringWriter();
        await known.SaveAsync(first);
        Assert.False(known.IsChanged);

        var again = new KnownCertificates(100);
        Assert.Equal(0, again.Load(new StringReader(first.ToString())));

        Assert.False(again.IsChanged);
        var second = new StringWriter();
        await again.SaveAsync(second);
        Assert.Equal(first.ToString(), second.ToString());
    }

    [Fact]
    public void Load_DamagedLines_CountedAndTheOthersTaken()
    {
        var known = new KnownCertificates(100);
        var text = $"{Thumbprint(1)} 2026-03-01\r\n\nrubbish\n{Thumbprint(2)} 2026-13-01\n{Thumbprint(3)}\n" +
            new string('x', 100_000) + $"\nZZ{Thumbprint(4)} 2026-03-01\n{Thumbprint(5)} 2026-03-01";

        Assert.Equal(5, known.Load(new StringReader(text)));

        Assert.Equal(2, known.Count);
        Assert.True(known.IsKnown(Thumbprint(5)));
    }

    [Fact]
    public void Load_MoreThanTheLimit_TheLastOnes()
    {
        var known = new KnownCertificates(10);

        var lines = Enumerable.Range(0, 100).Select(i => Thumbprint(i) + " 2026-03-01");
        known.Load(new StringReader(string.Join((char)10, lines)));

        Assert.Equal(10, known.Count);
        Assert.True(known.IsKnown(Thumbprint(99)));
        Assert.False(known.IsKnown(Thumbprint(89)));
    }

    [Fact]
    public void MarkActive_MarkedTodayAlready_ChangesAndAllocatesNothing()
    {
        var known = new KnownCertificates(10);
        known.Load(new StringReader(Thumbprint(1) + " 2026-03-01"));
        var thumbprint = Thumbprint(1);

        Assert.Equal(0, Allocations.OfThousand(() => known.MarkActive(thumbprint, Day)));
        Assert.False(known.IsChanged);
    }
}

namespace Gateway.Admission.Tests.Storm;

internal sealed record StormOptions
{
    public int Clients { get; init; } = 10_000;

    /// <summary>OPN served a second.</summary>
    public double Capacity { get; init; } = 640;

    /// <summary>What the gateway believes at first.</summary>
    public double Guess { get; init; } = 640;

    /// <summary>They come back when they were told to; others at once.</summary>
    public double Obeying { get; init; } = 1;

    /// <summary>Of those who give up, who go without a word: their sockets stay open.</summary>
    public double Vanishing { get; init; }

    /// <summary>All behind one address.</summary>
    public bool IsBalanced { get; init; }

    /// <summary>Sockets that say nothing, besides, opened again as soon as they are refused.</summary>
    public int Silent { get; init; }

    public double[] PatienceMs { get; init; } = [5000, 10_000, 60_000];
}

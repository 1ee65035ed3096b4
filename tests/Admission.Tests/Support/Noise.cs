namespace Gateway.Admission.Tests.Support;

/// <summary>Numbers that look random and are the same in every run (xorshift).</summary>
internal sealed class Noise(ulong seed)
{
    private ulong _state = seed | 1;

    /// <summary>0 to 1.</summary>
    public double Next()
    {
        _state ^= _state << 13;
        _state ^= _state >> 7;
        _state ^= _state << 17;
        return (_state >> 11) / (double)(1UL << 53);
    }

    public int Next(int below) => (int)(Next() * below);

    public double Exponential(double mean) => -mean * Math.Log(1 - Next());
}

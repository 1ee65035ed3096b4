using System.Net;

namespace Gateway.Rest.Budgets;

/// <summary>Bytes that all requests together hold at one time. Of the last sixth an address that holds more than a
/// sixth gets none (R46). Threads: any; its lock is a leaf.</summary>
internal sealed class ByteBudget(long most)
{
    private const int Parts = 6;

    private readonly Lock _lock = new();
    private readonly Dictionary<IPAddress, long> _ofAddresses = [];
    private long _held;
    private long _refused;

    public long Held => Volatile.Read(ref _held);

    public long Refused => Volatile.Read(ref _refused);

    /// <summary>False: no room. Otherwise a <see cref="Return"/> must follow.</summary>
    /// <param name="address">The client's address.</param>
    /// <param name="bytes">Additional bytes.</param>
    public bool TryTake(IPAddress address, long bytes)
    {
        lock (_lock)
        {
            var own = _ofAddresses.GetValueOrDefault(address);
            var all = _held + bytes;
            if (all > most || (all > most - (most / Parts) && own > most / Parts))
            {
                _refused++;
                return false;
            }

            TakeUnderLock(address, own, bytes);
            return true;
        }
    }

    /// <summary>The same for what can be done without: only of the first half. It counts as no refusal.</summary>
    public bool TryTakeSpare(IPAddress address, long bytes)
    {
        lock (_lock)
        {
            if (_held + bytes > most / 2)
                return false;
            TakeUnderLock(address, _ofAddresses.GetValueOrDefault(address), bytes);
            return true;
        }
    }

    /// <summary>The address has more than a sixth: it makes room itself, nobody makes room for it.</summary>
    public bool HasMuch(IPAddress address)
    {
        lock (_lock)
            return _ofAddresses.GetValueOrDefault(address) > most / Parts;
    }

    public void Return(IPAddress address, long bytes)
    {
        if (bytes == 0)
            return;
        lock (_lock)
        {
            _held -= bytes;
            var own = _ofAddresses[address] - bytes;
            if (own > 0)
                _ofAddresses[address] = own;
            else
                _ofAddresses.Remove(address);
        }
    }

    private void TakeUnderLock(IPAddress address, long own, long bytes)
    {
        _ofAddresses[address] = own + bytes;
        _held += bytes;
    }
}

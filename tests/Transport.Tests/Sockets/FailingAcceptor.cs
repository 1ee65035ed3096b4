using System.Net;
using Gateway.Transport.Sockets;

namespace Gateway.Transport.Tests.Sockets;

/// <summary>The kernel's, but before each connection it fails as often as the test says.</summary>
internal sealed class FailingAcceptor(int listener) : IAcceptor
{
    private readonly KernelAcceptor _kernel = new(listener);
    private int _calls;
    private int _left;

    /// <summary>0: none.</summary>
    public int Error { get; set; }

    /// <summary>How often, each time.</summary>
    public int Times { get; set; } = int.MaxValue;

    public int Calls => Volatile.Read(ref _calls);

    public Accepted Accept()
    {
        Interlocked.Increment(ref _calls);
        if (Error != 0 && _left < Times)
        {
            _left++;
            return new Accepted(-Error, IPAddress.None, 0);
        }

        _left = 0;
        return _kernel.Accept();
    }
}

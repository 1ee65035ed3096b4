using System.Net;
using System.Runtime.InteropServices;

namespace Gateway.Transport.Sockets;

/// <summary>accept4(2) on a listening descriptor that does not block.</summary>
internal sealed unsafe class KernelAcceptor(int listener) : IAcceptor
{
    public static IAcceptor Open(int listener) => new KernelAcceptor(listener);

    public Accepted Accept()
    {
        var bytes = stackalloc byte[KernelAddress.MaxBytes];
        var length = KernelAddress.MaxBytes;
        var descriptor = Libc.Accept(listener, bytes, &length, Libc.CloseOnExecNonBlocking);
        if (descriptor < 0)
            return new Accepted(-Marshal.GetLastPInvokeError(), IPAddress.None, 0);
        var name = new ReadOnlySpan<byte>(bytes, Math.Min(length, KernelAddress.MaxBytes));
        var address = KernelAddress.Read(name, out var port);
        return new Accepted(descriptor, address, port);
    }
}

using Microsoft.Win32.SafeHandles;

namespace Gateway.Transport.Sockets;

/// <summary>
/// A descriptor that some threads use while another ends it: it is closed when its last holder releases it, and later
/// callers get nothing. The number of a closed descriptor is soon reused: a write would go to another connection.
/// Threads: any.
/// </summary>
internal sealed class DescriptorHandle : SafeHandleMinusOneIsInvalid
{
    public DescriptorHandle(int descriptor)
        : base(ownsHandle: true) => SetHandle(descriptor);

    /// <summary>While it is held, or by its owner before it is disposed.</summary>
    public int Number => (int)handle;

    /// <summary>False: it has ended. Where true, <see cref="SafeHandleMinusOneIsInvalid"/>'s DangerousRelease follows.
    /// </summary>
    public bool TryHold()
    {
        var isHeld = false;
        try
        {
            DangerousAddRef(ref isHeld);
        }
        catch (ObjectDisposedException)
        {
            return false;
        }

        return isHeld;
    }

    protected override bool ReleaseHandle() => Libc.Close((int)handle) >= 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is left to move after a notch of a wheel: the view glides there in about a tenth of a second, so that the eye
// can follow, and ends where it would have jumped to. Pure; no clock of its own.

namespace warpline::timeline {

class ViewMotion {
public:
    /// Factor of the time a pixel stands for, anchored at a pixel of the lanes; the latest anchor holds for all that is
    /// left.
    void zoom(double factor, double anchorX);
    /// Logical pixels, to the right and downwards.
    void pan(double pixels) { m_pan += pixels; }
    void scroll(double pixels) { m_scroll += pixels; }
    void stop() { *this = {}; }
    bool isAtRest() const { return m_logZoom == 0 && m_pan == 0 && m_scroll == 0; }

    struct Step {
        double zoom = 1;
        double anchorX = 0;
        double pan = 0;
        int scroll = 0;
    };
    /// The part that `seconds` take, of what is left: fast at first. The steps of a motion sum up to the whole of it;
    /// what is left below a pixel, or 0.05 % of zoom, comes with the last one.
    Step advance(double seconds);

private:
    double m_logZoom = 0;
    double m_anchorX = 0;
    double m_pan = 0;
    double m_scroll = 0;
};

/// Turns a way in logical pixels into whole pixels of the screen. What is missing to a whole one waits for the next
/// call: at most half a pixel, so that the rounding errors of many small parts never add up to one.
class WholePixels {
public:
    /// Logical pixels that stand for a whole number of the screen's; `scale` is the screen's pixels per logical one.
    double take(double pixels, double scale);
    void reset() { m_rest = 0; }

private:
    double m_rest = 0;  ///< logical pixels
};

}  // namespace warpline::timeline
